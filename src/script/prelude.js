// What `db.transaction(async (tx) => …)` means, in the step language itself. The adapters
// that run scenes on real PostgreSQL have these same lines.
async function transaction(db, work) {
  const tx = await db.begin();
  let value = undefined;
  try {
    value = await work(tx);
  } catch (error) {
    try {
      await tx.rollback();
    } catch {
      // The connection is gone, and with it the transaction.
    }
    throw error;
  }
  await tx.commit();
  return value;
}
