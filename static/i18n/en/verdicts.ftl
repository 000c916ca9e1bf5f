### The ledger: what each order was owed, what it got, and why.

order = #{ NUMBER($order, useGrouping: 0) }

verdict-once = exactly once
verdict-not-placed = not placed
verdict-in-flight = in flight
verdict-lost = lost
verdict-doubled = doubled ×{ NUMBER($count) }
verdict-phantom = phantom
verdict-out-of-order = out of order
verdict-stuck = stuck
verdict-inconsistent = inconsistent
verdict-undecided = undecided
verdict-of-order = { order } · { $verdict }

effect = { $kind ->
    [letter] { $count ->
        [one] { NUMBER($count) } letter
       *[other] { NUMBER($count) } letters
    }
    [point] { $count ->
        [one] { NUMBER($count) } point
       *[other] { NUMBER($count) } points
    }
    [charge] { $count ->
        [one] { NUMBER($count) } charge
       *[other] { NUMBER($count) } charges
    }
    [refund] { $count ->
        [one] { NUMBER($count) } refund
       *[other] { NUMBER($count) } refunds
    }
    [shipment] { $count ->
        [one] { NUMBER($count) } shipment
       *[other] { NUMBER($count) } shipments
    }
   *[other] { $kind }: { NUMBER($count) }
}

ledger-owed = owed: { $owed }
ledger-got = got: { $got }

sentence-once = Order { order }: owed { $owed }, got { $got }. As it should be.
sentence-not-placed = Order { order } was not placed, and nothing came. As it should be.
sentence-in-flight = Order { order }: owed { $owed }, got { $got } so far. The rest is on its way.
sentence-lost = Order { order }: owed { $owed }, got { $got }. No more will come: nothing anywhere remembers it.
sentence-doubled = Order { order }: owed { $owed }, got { $got }.
sentence-phantom = Order { order } is not in the database, yet it got { $got }: an effect without an order.
sentence-out-of-order = Order { order }: got { $got }, but in the wrong order.
sentence-stuck = Order { order }: owed { $owed }, got { $got }. The rest is still stored, but will not move by itself.
sentence-inconsistent = Order { order }: the parts disagree about what became of it.
sentence-undecided = Order { order }: the system did not come to rest in the time given, so it is too early to judge.

forecast = Forecast
forecast-hint = How it ends if nothing more fails.
forecast-changed = The forecast has changed: { order } · { $verdict }

ledger = Ledger
ledger-order = Order
ledger-owed-column = Owed
ledger-got-column = Got
ledger-verdict-column = Verdict
ledger-why = Why
ledger-empty = No orders yet.
ledger-orders = { $count ->
    [one] { NUMBER($count) } order
   *[other] { NUMBER($count) } orders
}
