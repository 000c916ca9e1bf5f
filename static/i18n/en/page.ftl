### The page around the lab. Says “you”, and nothing that is not needed.

-product = Pull the Plug
page-title = { -product }
page-tagline = A small but real distributed system in which every part has a power cord.
page-skip = Skip to the lab
page-nav = Chapters
page-nav-dual-write = Dual write
page-nav-outbox = Outbox
page-nav-inbox = Inbox
page-nav-sagas = Sagas
page-nav-sandbox = Sandbox
page-theme = Theme
page-theme-light = light
page-theme-dark = dark
page-theme-auto = same as system
page-language = Language
page-loading = Loading the lab…
page-load-failed = The lab did not load. Reload the page; if that does not help, this browser lacks WebAssembly.
page-scene = Scene
page-scene-title = Scene: { $title }
page-settings = Settings
page-close = Close
page-share = Share
page-share-hint = The link opens this very run: scene, actions, step.
page-copy = Copy the link
page-copied = Link copied
page-copy-failed = Copying did not work. Here is the link, copy it from here:
page-error-title = Something is wrong here
page-error-at = Line { NUMBER($line, useGrouping: 0) }, column { NUMBER($column, useGrouping: 0) }
page-error-count = { $count ->
    [one] { NUMBER($count) } error
   *[other] { NUMBER($count) } errors
}
page-fell-back = So the usual value is used: { $value }.
page-show-all = Show everything
page-stage = The system
page-sockets = sockets
page-code = Code
page-log = Log
page-log-empty = Nothing has happened yet. Press “Play” or take a step.
page-show-code = Show the code
page-hide-code = Hide the code
page-simplified = What is simplified
