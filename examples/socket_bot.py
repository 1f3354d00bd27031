"""A bot for a Tilery server: it takes a seat (or creates a table) and plays random moves. Needs: pip install websockets

python examples/socket_bot.py http://localhost:8000 [TABLE [NAME]]
"""

import json
import random
import sys
import time
import urllib.request

from websockets.sync.client import connect


def main(server, table=None, name=f"Robot {random.randrange(10_000)}"):  # noqa: B008
    url, seats = f"{server}/api/tables", [{"kind": "me", "name": name}, {"kind": "bot", "bot": "greedy"}]
    endpoint, body = (f"{url}/{table}/seat", {"name": name}) if table else (url, {"game": "azul", "seats": seats})
    seat = json.load(urllib.request.urlopen(urllib.request.Request(endpoint, json.dumps(body).encode())))
    with connect(f"{url.replace('http', 'ws', 1)}/{seat['table']}/socket") as socket:
        command, state, heartbeat, sent_at = {"type": "hello", "token": seat["token"]}, {}, 1, 0
        while state.get("status") != "over":
            if command or time.monotonic() - sent_at > heartbeat / 2:  # a ping if there is nothing else to send
                socket.send(json.dumps(command or {"type": "ping"}))
                command, sent_at = {}, time.monotonic()
            try:
                message = json.loads(socket.recv(heartbeat / 2))
            except TimeoutError:
                continue
            news = message.get("state") or message.get("changes") or {}  # the whole state, or what has changed in it
            heartbeat, state = message.get("heartbeat", heartbeat), state | news
            if news.get("moves"):  # each is a list: kind, text, number, parts
                command = {"type": "play", "move": random.choice(news["moves"])[1]}
            elif news.get("status") == "open" and all(each["kind"] != "open" for each in state["seats"]):
                command = {"type": "start", "entropy": random.randbytes(16).hex()}
            command |= {"id": f"{random.getrandbits(64):x}", "step": state["step"]} if command else {}
        print("Result:", json.dumps(state["result"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
