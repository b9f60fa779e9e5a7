import { describe, expect, test } from "vitest";
import { check } from "../../scripts/prose/check.js";
import { allRules } from "../../scripts/prose/rules.js";

interface Row {
  readonly rule: string;
  readonly bad: readonly string[];
  readonly good: readonly string[];
}

const rows: readonly Row[] = [
  { rule: "whoever", bad: ["Whoever connects is served."], good: ["Every client that connects is served."] },
  {
    rule: "whatever",
    bad: ["Whatever comes in is read.", "It has no effect whatsoever."],
    good: ["It reads all input."],
  },
  {
    rule: "who-subject",
    bad: ["Who builds a server needs it.", "First. Who waits longer gets an error.", "| a | who listens |"],
    good: ["Who calls?", "The client who builds it.", "who to ask", "Who the author is matters."],
  },
  { rule: "who-object", bad: ["It depends on the answer of who sent it."], good: ["Those who send it get a reply."] },
  {
    rule: "what-subject",
    bad: [
      "What is not imported costs nothing.",
      "What a tool throws is shown.",
      "Done. What runs is given up.",
      "What was registered or configured cannot work.",
    ],
    good: [
      "What is kept?",
      "What the peer sent.",
      "What servers may ask.",
      "What was done, and what was kept.",
      "What comes out",
    ],
  },
  {
    rule: "tell",
    bad: ["It tells why.", "The user is told.", "Telling them apart is hard."],
    good: ["It reports why."],
  },
  {
    rule: "is-no",
    bad: ["`x` is no URL.", "These are no messages.", "That was no JSON."],
    good: ["There is no URL.", "Of these there may be no list.", "It is no longer open.", "`x` is not a URL."],
  },
  {
    rule: "otherwise",
    bad: ["It works otherwise than before.", "unless they say otherwise"],
    good: ["Otherwise it ends."],
  },
  {
    rule: "nobody",
    bad: ["Nobody listens.", "It is somebody else's."],
    good: ["No client listens.", "The body is empty."],
  },
  {
    rule: "hand",
    bad: ["It hands the call over, and hands it on.", "Code that is handed over.", "to hand in a value"],
    good: ["Written by hand in one file.", "On the other hand in tests it fails.", "It passes the value."],
  },
  { rule: "for-good", bad: ["It ends for good."], good: ["It ends for good reason."] },
  { rule: "he", bad: ["Unless he did so himself."], good: ["Unless the author did so. The history ends there."] },
  { rule: "defect", bad: ["A defect of the generator."], good: ["A bug of the generator."] },
  { rule: "faulty", bad: ["A faulty overlay."], good: ["An invalid overlay. It is at fault."] },
  { rule: "there-already", bad: ["The file is there already."], good: ["The file exists already."] },
  { rule: "no-good", bad: ["The name is no good."], good: ["The name is not good."] },
  {
    rule: "hear",
    bad: ["The client hears of it.", "It hears nothing."],
    good: ["The client is notified. It is hearsay."],
  },
  { rule: "heed", bad: ["Clients that heed the policy."], good: ["Clients that apply the policy."] },
  { rule: "mend", bad: ["The host has to mend it."], good: ["We recommend it. Amend it."] },
  { rule: "drift", bad: ["The file has drifted."], good: ["The file is out of date."] },
  { rule: "betray", bad: ["It betrays a secret."], good: ["It reveals a secret."] },
  { rule: "forgive", bad: ["It forgives nothing.", "This is forgiven."], good: ["It tolerates nothing."] },
  {
    rule: "besides-that",
    bad: ["Beside that, it ends.", "Besides that it ends."],
    good: ["Beside the file. It also ends."],
  },
  { rule: "stead", bad: ["It reads another in its stead."], good: ["It reads another instead of it."] },
  { rule: "archaic", bad: ["Hence it ends.", "parts thereof"], good: ["So it ends."] },
  {
    rule: "a-text",
    bad: ["It must be a text.", "an issuer and a subject, both texts", "It is a text that is long."],
    good: ["It is a text file.", "It is sent as text.", "It must be a string."],
  },
];

test("tests every rule", () => {
  expect(rows.map(({ rule }) => rule)).toEqual(allRules.map(({ id }) => id));
});

describe.each(rows)("$rule", ({ rule, bad, good }) => {
  test.each(bad)("finds: %s", (text) => {
    expect(rulesIn(text)).toContain(rule);
  });

  test.each(good)("accepts: %s", (text) => {
    expect(rulesIn(text)).not.toContain(rule);
  });
});

function rulesIn(text: string): readonly string[] {
  return check("a.md", text, [{ start: 0, text: text.replace(/`[^`]+`/g, (code) => "0".repeat(code.length)) }]).map(
    ({ rule }) => rule,
  );
}
