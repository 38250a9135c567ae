"""Judges pairs of schemas with jsonsubschema, which shares no code with this project.

Reads what `npm run --silent prove -- --print-pairs N` prints and prints the questions that it answers, with its answers:

    pip install jsonsubschema==0.0.8
    npm run --silent prove -- --print-pairs 2500 --seed 11 | python3 scripts/prove/judge_pairs.py 600 \\
      > compiler/schema/fixtures/judged-elsewhere.json

The argument is how many questions are kept at most. A pair is left out where it says what draft 4 of JSON Schema has no
word for, where jsonsubschema says that it can't judge it or fails, and where that takes longer than two seconds.
"""

import json
import signal
import sys
import warnings

from jsonsubschema import isSubschema

warnings.simplefilter("ignore")

PLAIN = {
    *("type", "enum", "minLength", "maxLength", "pattern", "minimum", "maximum", "multipleOf", "minItems", "maxItems"),
    *("uniqueItems", "required", "minProperties", "maxProperties"),
}
ANNOTATIONS = {"title", "x-note"}
LISTS = {"allOf", "anyOf", "oneOf"}
MAPS = {"properties", "patternProperties"}
SECONDS = 2


class NoWord(Exception):
    """Draft 4 can't say it."""


def in_draft_4(schema):
    """The same schema in the words of draft 4; a boolean schema is the object that means the same."""
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    said = {}
    for keyword, value in schema.items():
        if keyword in PLAIN:
            said[keyword] = value
        elif keyword in LISTS:
            said[keyword] = [in_draft_4(one) for one in value]
        elif keyword in MAPS:
            said[keyword] = {name: in_draft_4(one) for name, one in value.items()}
        elif keyword in ("additionalProperties", "not"):
            said[keyword] = in_draft_4(value)
        elif keyword == "const":
            if "enum" in schema:
                raise NoWord
            said["enum"] = [value]
        elif keyword not in ANNOTATIONS and keyword not in ("items", "prefixItems", *EXCLUSIVE):
            raise NoWord
    if "prefixItems" in schema:
        said["items"] = [in_draft_4(one) for one in schema["prefixItems"]]
        if "items" in schema:
            said["additionalItems"] = in_draft_4(schema["items"])
    elif "items" in schema:
        said["items"] = in_draft_4(schema["items"])
    for keyword, (bound, is_tighter) in EXCLUSIVE.items():
        if keyword in schema and (bound not in schema or is_tighter(schema[keyword], schema[bound])):
            said[bound], said[keyword] = schema[keyword], True
    # Draft 4 wants at least one name.
    if said.get("required") == []:
        del said["required"]
    return said


EXCLUSIVE = {
    "exclusiveMinimum": ("minimum", lambda one, other: one >= other),
    "exclusiveMaximum": ("maximum", lambda one, other: one <= other),
}


def too_long(*_):
    raise TimeoutError


def judged(one, other):
    """Whether every value of the one is a value of the other; None where that is not answered."""
    signal.alarm(SECONDS)
    try:
        answer = isSubschema(in_draft_4(one), in_draft_4(other))
        return answer if isinstance(answer, bool) else None
    except Exception:  # Whatever it fails with, it gave no answer.
        return None
    finally:
        signal.alarm(0)


def main(most):
    signal.signal(signal.SIGALRM, too_long)
    known, left = set(), {True: most, False: most}
    for before, after in json.load(sys.stdin):
        for one, other in ((before, after), (after, before)):
            text = json.dumps([one, other], sort_keys=True)
            if text in known or one == other:
                continue
            known.add(text)
            answer = judged(one, other)
            if left.get(answer, 0) > 0:
                left[answer] -= 1
                print(json.dumps({"included": answer, "one": one, "other": other}))


main(int(sys.argv[1]))
