"""`accord view`: a browser page that shows records, finished or still being written ([docs/viewing.md]).

- moments.py: one time axis through a whole record
- scene.py: the state at a moment, as small changes
- scene_builder.py: the state of a log while it is read, and its rows for the index
- event_handlers.py: kind of event -> changes, words, marks, acts, numbers
- civic.py, bargaining.py: handlers of societies, and of talks and deals
- index.py: SQLite index of a log, built once and updated while the log grows
- sealing.py: what a page shows of a run while people play it
- run_catalog.py: the runs shown, and queries about them
- server.py: HTTP API of the page on 127.0.0.1, behind a token
- seats.py, seat_server.py: pages of human players, each behind its own token
- responses.py: headers and files of all pages
- serving.py: the server's process
- control.py: pause, resume and end of the run that this command plays
- export.py: a record as one HTML file
- page/: the page, in plain modules without build step or network resources

All content of a record is treated as hostile: it reaches the page as JSON, and the document as text.
"""
