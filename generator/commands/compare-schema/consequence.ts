import type { LossyStep } from "./lossy-steps.js";

type Wording = (step: LossyStep, type: string) => string;

/** The consequence of a finding for users of schema.json, by the rule that explains it. */
const wordings: Readonly<Record<string, Wording>> = {
  "constant-inlined": ({ before }) => `The value is the same; the name ${before.text.replace("typeof ", "")} is lost.`,
  "constant-dropped": () => "Code made from schema.json has to repeat the value by hand.",
  "extends-flattened": ({ aspect, before }) =>
    aspect === "index"
      ? `Further members are accepted, but that they are expected (${before.text}) is not said.`
      : "The members are the same; that the type can stand for the one it extends is lost.",
  "null-dropped": () => "null is refused by schema.json although legal.",
  "number-as-integer": () => "0.5 is refused by schema.json although legal.",
  "open-enum-as-string": () => "The same is accepted, but code made from schema.json does not know the defined values.",
  "string-alias-inlined": ({ before }) => `The same is accepted; the name ${before.text} is lost.`,
  "any-as-unknown": () => "The same is accepted.",
  "record-opaque": () => "The same is accepted; that the members are free to choose is not said.",
  "alias-expanded-in-union": () => "The same is accepted; the name of the group is lost.",
  "alias-of-alias-resolved": () => "The same is accepted; that one name stands for the other is lost.",
  "alias-of-closed-interface-copied": () => "The same is accepted, but the two types are unrelated in schema.json.",
  "alias-of-object-as-interface": () => "The same is accepted.",
  "tags-dropped": ({ aspect }) => {
    switch (aspect) {
      case "tag deprecated":
        return "Code made from schema.json does not warn against its use.";
      case "tag internal":
        return "Code made from schema.json shows it as if it were public.";
      default:
        return "Nothing is lost: it only controls the schema printer.";
    }
  },
};

/** @param integers types whose numbers the specification restricts to integers */
export function describeConsequence(step: LossyStep, type: string, integers: ReadonlySet<string>): string {
  if (step.rule.id === "number-as-integer" && integers.has(type))
    return "0.5 is refused by schema.json, and rightly: the specification's text asks for an integer.";
  return wordings[step.rule.id]?.(step, type) ?? step.rule.sentence;
}

/** Ids of the rules with their own wording. */
export const wordedRules: readonly string[] = Object.keys(wordings);
