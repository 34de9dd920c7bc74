"""Stand-in for the local engine: its parameters and its server, which answers without a model.

It answers `{"message": ..., "seed": ...}`, refuses weights whose second word is BAD, and ends when a message says DIE.
"""

from __future__ import annotations

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any


class CommonParams(SimpleNamespace):
    """Parameters of the engine; any attribute may be set."""

    def __init__(self) -> None:
        super().__init__(model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())


class Server:
    """HTTP server on the loopback interface, in threads of its own."""

    def __init__(self, params: CommonParams) -> None:
        self.params = params
        if Path(params.model.path).read_bytes()[4:7] == b"BAD":
            os.write(2, b"0.00.000.001 E llama_model_load: the file is broken\n")
            raise RuntimeError("Failed to init server, please check the input params.")
        try:
            self._server = ThreadingHTTPServer((params.hostname, params.port), _handler(params))
        except OSError as error:
            os.write(2, b"0.00.000.001 E srv start: couldn't bind HTTP server socket, hostname: 127.0.0.1\n")
            raise RuntimeError("Failed to init server, please check the input params.") from error
        self.listening_address = f"http://{params.hostname}:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()


def _handler(params: CommonParams) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send({"data": [{"id": next(iter(params.model_alias))}]})

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            said = asked["messages"][-1]["content"]
            if "DIE" in said:
                os._exit(1)
            text = json.dumps({"message": said, "seed": asked.get("seed")})
            usage = {"prompt_tokens": len(said.split()), "completion_tokens": 1}
            choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            self._send({"model": "stand-in", "choices": [choice], "usage": usage})

        def _send(self, told: dict[str, Any]) -> None:
            key = self.headers.get("Authorization", "").removeprefix("Bearer ")
            body = json.dumps(told if key in params.api_keys else {"error": {"message": "Invalid API Key"}}).encode()
            self.send_response(200 if key in params.api_keys else 401)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
