"""`accord view`: a page in the browser over records, finished or still being written ([docs/viewing.md]).

    moments.py   one axis of time through a whole record
    scene.py     what is true at a moment, as small changes
    makers.py    kind of event -> changes, words, marks, acts, numbers
    index.py     the index beside the log: SQLite, built once, kept up while the log grows
    shelf.py     the runs that are shown
    server.py    what the page asks, over HTTP on 127.0.0.1, behind a token
    serving.py   the server's process
    control.py   pause, go on and end, for the run that this command plays
    export.py    a record as one HTML file
    page/        the page: plain modules, no build step, nothing from the network

All that a record holds is hostile here: it reaches the page as JSON, and the page as text.
"""
