/**
 * Types of "pull-the-plug" for authors of scenes. A scene is plain JavaScript; with these types an
 * editor completes and explains the calls, and `tsc --checkJs --strict` checks them.
 */
declare module "pull-the-plug" {
  /** A text in both languages of the page. */
  export interface Words {
    ru: string;
    en: string;
  }

  /** A piece of SQL with its parameters, made by the tag `sql`. */
  export interface Sql {
    readonly pieces: readonly string[];
    readonly parameters: readonly unknown[];
  }

  /**
   * SQL for PostgreSQL. Each `${value}` is sent as a parameter, never pasted into the text.
   * An object goes as JSON; an array fits only in `= ANY(${ids})`; `undefined` throws.
   */
  export function sql(pieces: TemplateStringsArray, ...parameters: unknown[]): Sql;

  /** One row of a result: its columns by name. `bigint` comes as a number, `jsonb` parsed. */
  export type Row = any;

  /** What a customer has ordered. */
  export interface Order {
    /** The order's number, from 1. */
    id: number;
    /** The customer's address. */
    customer: string;
  }

  /** An open transaction. It lives on one connection and is lost with it. */
  export interface Transaction {
    /** Runs one statement and gives its rows. */
    query(statement: Sql): Promise<Row[]>;
    /**
     * Makes the changes visible and durable. Throws with code `commit-unknown` when the answer is
     * lost: the database may have committed or not.
     */
    commit(): Promise<void>;
    /** Drops the changes. */
    rollback(): Promise<void>;
    /**
     * First phase of a two-phase commit, `PREPARE TRANSACTION`: from now on the database can commit
     * whatever happens. The changes stay invisible and their locks held, even over a restart, until
     * somebody commits or rolls back what has this name.
     */
    prepare(name: string | number): Promise<void>;
  }

  /** PostgreSQL. */
  export interface Database {
    /** Runs one statement in a transaction of its own and gives its rows. */
    query(statement: Sql): Promise<Row[]>;
    /**
     * Runs the function in a transaction: commits when it ends, rolls back when it throws, and
     * throws the same error on.
     */
    transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
    /** Opens a transaction that you end yourself. */
    begin(): Promise<Transaction>;
    /** Second phase: commits what was prepared under this name. Throws if there is no such thing. */
    commitPrepared(name: string | number): Promise<void>;
    /** Rolls back what was prepared under this name. Throws if there is no such thing. */
    rollbackPrepared(name: string | number): Promise<void>;
  }

  /** How a message is published. */
  export interface PublishOptions {
    /** Messages with one key keep their order where the broker has partitions. */
    key?: string | number;
    /** Write the message to disk, which is the rule; in a durable queue it outlives a restart. */
    persistent?: boolean;
    /** Fail when no queue takes the message, instead of dropping it silently. */
    mandatory?: boolean;
    /** An identifier by which a consumer can recognise a repeated message. */
    messageId?: string | number;
    /** The exchange to publish to; without one the topic is the name of a queue. */
    exchange?: string;
    /** `false` publishes without a confirm: the call is over at once, whatever becomes of the message. */
    confirm?: boolean;
  }

  /** How a consumer receives. */
  export interface SubscribeOptions {
    /** How many messages may be unacknowledged at once, 1 if not said; that many handlers overlap. */
    prefetch?: number;
    /** Count a message as done the moment it is sent; a crash then loses it. */
    autoAck?: boolean;
  }

  /** A message as a consumer sees it. */
  export interface Message {
    /** What was published. */
    body: any;
    /** The identifier that the publisher set. */
    messageId: any;
    /** Whether the broker has delivered this message before, perhaps without success. */
    redelivered: boolean;
    /** Tells the broker that the message is done and can be forgotten. */
    ack(): Promise<void>;
    /** Gives the message back: into the queue again, or away for good with `requeue: false`. */
    nack(options?: { requeue?: boolean }): Promise<void>;
  }

  /** A message broker: RabbitMQ. */
  export interface Broker {
    /**
     * Publishes a message. Awaited, it waits for the broker's confirm; not awaited, the program
     * goes on and learns of no failure.
     */
    publish(topic: string, body: unknown, options?: PublishOptions): Promise<void>;
    /** Runs the handler for each message of a queue, until the connection is lost. */
    subscribe(
      queue: string,
      options: SubscribeOptions,
      handler: (message: Message) => Promise<void>,
    ): Promise<void>;
  }

  /** A mail server. What it has sent cannot be taken back. */
  export interface Mailer {
    /** Sends a letter. Two calls with one `key` send one letter, if the service knows keys. */
    send(letter: {
      /** The order that the letter is about. */
      order: number;
      /** The address. */
      to: string;
      /** What claims count: `"letter"` in `exactly(1, "letter")`. */
      kind: string;
      /** An idempotency key. */
      key?: string | number;
    }): Promise<void>;
  }

  /** What any program can use: clocks, and parts under the names that most scenes give them. */
  export interface Environment {
    /** The part called `db`. */
    db: Database;
    /** The part called `broker`. */
    broker: Broker;
    /** The part called `mailer`. */
    mailer: Mailer;
    /** Waits for that many milliseconds. */
    sleep(milliseconds: number): Promise<void>;
    /** Milliseconds on this part's clock. */
    now(): number;
    /** A new identifier, never the same twice. */
    uuid(): string;
  }

  /**
   * A program of a `worker`: it starts with the part, and again after each restart. Parts with
   * names of their own are listed: `Program<{ points: Database }>`.
   */
  export type Program<Parts = {}> = (env: Environment & Parts) => Promise<void>;

  /**
   * A program of a `service`: it runs once for each order that arrives, and its end is the answer.
   * Parts with names of their own are listed, as for a `Program`.
   */
  export type Handler<Parts = {}> = (env: Environment & { order: Order } & Parts) => Promise<any>;

  /** A part of a scene, as `service`, `worker`, `postgres`, `rabbitmq` and `mail` make it. */
  export interface Part {
    readonly part: string;
  }

  /** A part that holds data and can be asked by queries. */
  export interface DatabasePart extends Part {
    readonly part: "postgres";
  }

  /** A service that customers call: its program runs for each order. */
  export function service(options: { program: Handler<any> }): Part;

  /** A process that runs on its own, such as a relay or a consumer. */
  export function worker(options: { program: Program<any> }): Part;

  /** A PostgreSQL database. */
  export function postgres(options: {
    /** `CREATE TABLE` statements. */
    tables: Sql;
  }): DatabasePart;

  /** A queue of RabbitMQ. */
  export interface Queue {
    /** Whether the queue outlives a restart of the broker; it does unless this says no. */
    durable?: boolean;
    /** A quorum queue: every message is on disk, and deliveries are counted. */
    quorum?: boolean;
    /** How often a message may come back, quorum queues only: `n` allows `n + 1` deliveries. */
    deliveryLimit?: number;
    /** The queue for messages that were rejected, that expired or were delivered too often. */
    deadLetter?: string;
    /** How long a message may wait at the head of the queue, in milliseconds. */
    ttlMs?: number;
    /** Serve one consumer at a time; the others stand by. */
    singleActiveConsumer?: boolean;
    /** Whether the queue is there from the start; it is unless this says no. */
    declared?: boolean;
  }

  /** An exchange of RabbitMQ: where a message goes. */
  export interface Exchange {
    /** `direct`: the keys are equal; `fanout`: every queue; `topic`: `*` is one word, `#` any number. */
    type: "direct" | "fanout" | "topic";
    /** The key of each queue that the exchange feeds. */
    bindings: { [queue: string]: string };
  }

  /** A RabbitMQ broker. */
  export function rabbitmq(options: {
    /** The queues by name; a message published under a queue's name goes to that queue. */
    queues: { [queue: string]: Queue };
    /** The exchanges by name. */
    exchanges?: { [exchange: string]: Exchange };
  }): Part;

  /** A mail server. */
  export function mail(options?: {
    /** Whether two calls with one `key` send one letter; they send two unless this says so. */
    honoursKeys?: boolean;
    /** How long a key is remembered, in milliseconds; for ever if not said. */
    keyTtlMs?: number;
  }): Part;

  /** What a scene promises, checked after every failure. */
  export interface Claim {
    readonly claim: string;
  }

  /** That many effects of a kind… */
  export interface Count {
    /**
     * …for each order that was placed. Without queries they are counted in the records of the
     * external services; a query for one database gives an order's number in its first column
     * and an amount in its second.
     */
    perOrder(queries?: Queries): Claim;
  }

  /**
   * Claims exactly `count` effects of a kind, such as `exactly(1, "letter").perOrder()` or
   * ``exactly(10, "points").perOrder({ db: sql`SELECT order_id, points FROM bonuses` })``.
   */
  export function exactly(count: number, effectKind: string): Count;

  /** Versions of each order… */
  export interface Sequence {
    /**
     * …ascend: a query gives an order's number and a version, row by row as they were applied. A
     * version after a higher one is out of order; the same one again is not.
     */
    perOrder(queries: Queries): Claim;
  }

  /**
   * Claims that the effects of each order came in the order of their versions:
   * ``inOrder("status").perOrder({ db: sql`SELECT order_id, version FROM applied ORDER BY id` })``.
   */
  export function inOrder(effectKind: string): Sequence;

  /**
   * Claims that no order is left in a state that must not be. A query for one database gives the
   * numbers of the orders that are: ``never("half done", { db: sql`SELECT order_id FROM … ` })``.
   */
  export function never(name: string, queries: Queries): Claim;

  /** A query for each database, by the part's name. */
  export interface Queries {
    [database: string]: Sql;
  }

  /** Queries for those of the scene's parts that are databases. */
  export type QueriesOf<Parts> = {
    [name in keyof Parts as Parts[name] extends DatabasePart ? name : never]?: Sql;
  };

  /** A whole scene. */
  export interface Scene<Parts extends { [name: string]: Part } = { [name: string]: Part }> {
    /** Its title. */
    title: Words;
    /** The parts by name; programs take them by the same names. */
    parts: Parts;
    /** The orders that customers place. */
    orders: {
      /** How many. */
      count: number;
      /** The time between two, in milliseconds. */
      everyMs: number;
    };
    /** Gives the numbers of the orders that count as placed, in the first column. */
    placed: QueriesOf<Parts>;
    /** Gives the numbers of the orders whose work still waits, in the first column. */
    backlog?: QueriesOf<Parts>;
    /** What the scene promises. */
    claims: Claim[];
    /** How long a process that ended by itself, or a part that is repaired, stays down: 1000. */
    restartMs?: number;
    /** The least time that a message is under way between two parts: 40. */
    latencyMs?: number;
    /** After how long a peer that fell silent is taken for dead: 3000. */
    noticeMs?: number;
    /** After how long a call is given up: 2000. */
    timeoutMs?: number;
  }

  /** Declares the scene; `export default` it. */
  export function scene<Parts extends { [name: string]: Part }>(scene: Scene<Parts>): Scene<Parts>;
}
