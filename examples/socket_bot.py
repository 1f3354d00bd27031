"""A bot for a Tilery server: takes a seat (or makes a table), then plays random moves. Needs the websockets package.

python examples/socket_bot.py http://localhost:8000 [TABLE]
"""

import json
import random
import sys
import time
import urllib.request

from websockets.sync.client import connect


def main(server, table=None):
    url, seats = f"{server}/api/tables", [{"kind": "me", "name": "Robot"}, {"kind": "bot", "bot": "greedy"}]
    door, wish = (f"{url}/{table}/seat", {"name": "Robot"}) if table else (url, {"game": "azul", "seats": seats})
    request = urllib.request.Request(door, json.dumps(wish).encode(), {"Content-Type": "application/json"})
    mine = json.load(urllib.request.urlopen(request))
    with connect(f"{url.replace('http', 'ws', 1)}/{mine['table']}/socket") as socket:
        words, state, heartbeat, spoke = {"type": "hello", "token": mine["token"]}, {}, 1, 0
        while state.get("status") != "over":
            if words or time.monotonic() - spoke > heartbeat / 2:  # a sign of life, if there is nothing else to say
                socket.send(json.dumps(words or {"type": "ping"}))
                words, spoke = {}, time.monotonic()
            try:
                message = json.loads(socket.recv(heartbeat / 2))
            except TimeoutError:
                continue
            heartbeat, state = message.get("heartbeat", heartbeat), message.get("state", {})
            if state.get("moves"):
                words = {"type": "play", "move": random.choice(state["moves"])}
            elif state.get("status") == "open" and all(seat["kind"] != "open" for seat in state["seats"]):
                words = {"type": "start", "entropy": random.randbytes(16).hex()}
            words |= {"id": f"{random.getrandbits(64):x}", "step": state["step"]} if words else {}
        print("Result:", json.dumps(state["result"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
