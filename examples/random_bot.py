"""A bot for Tilery in plain Python: it plays random legal moves. Make it better!

    tilery play --seats "person,cmd:python3 examples/random_bot.py"

For each move it gets one line of JSON, such as
    {"id": "7", "action": "play", "position": "azul:2 ...", "seat": 0, "seed": 42, "maxCpu": 0.1, "moves": ["1R2", ...]}
and answers with one line: {"id": "7", "move": "1R2"}. All fields are described in docs/protocol.md.
"""

import json
import random
import sys


def answer(request):
    """Answer one request: with a move, or with an error that names the field."""
    if request.get("action") != "play":
        return {"id": request.get("id"), "error": "this bot only plays", "field": "action"}
    if "moves" not in request:
        return {"id": request["id"], "error": "this bot needs the list of legal moves", "field": "moves"}
    dice = random.Random(request.get("seed"))  # the same seed plays the same game
    return {"id": request["id"], "move": dice.choice(request["moves"])}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
