import type { ProfileValue } from "../../../shared/model/protocol.js";
import { profileFields } from "../../../shared/model/profile.js";
import type { Pair } from "../pairs.js";
import { rule, when, type Detail } from "../rule.js";

/** Fields with rules of their own. */
const special: ReadonlySet<string> = new Set(["batch", "opening"]);

function behaviour({ before, after }: Pair<ProfileValue>): readonly Detail[] {
  const field = (after ?? before)?.field ?? "";
  if (!before || !after || special.has(field)) return [];
  return when(before.value !== after.value, meaningOf(field));
}

function meaningOf(field: string): Detail {
  const text = profileFields.find(({ name }) => name === field)?.text ?? "";
  return { meaning: text };
}

export const behaviourRules = [
  rule({
    id: "batching-allowed",
    category: "wire",
    purpose: "Several messages may come in one array.",
    on: "profile",
    find: ({ before, after }) => when(after?.field === "batch" && before?.value === false && after.value === true),
    message: "messages may come in batches",
    receiver: "Who speaks {new} has to accept an array of messages; who speaks {old} answers it with an error.",
    sender: "Batches are sent only when {new} was agreed upon.",
    source: "Nothing changes for handlers; transports have to take arrays apart.",
    hint: "Leave batches to the runtime.",
  }),
  rule({
    id: "batching-forbidden",
    category: "wire",
    purpose: "Several messages may no longer come in one array.",
    on: "profile",
    find: ({ before, after }) => when(after?.field === "batch" && before?.value === true && after.value === false),
    message: "messages must not come in batches",
    receiver: "Who speaks {new} answers an array of messages with an error.",
    sender: "Every message is sent by itself once {new} was agreed upon.",
    source: "Nothing changes for handlers.",
    hint: "Leave batches to the runtime.",
  }),
  rule({
    id: "opening-changed",
    category: "wire",
    purpose: "Connections are opened in another way.",
    on: "profile",
    find: ({ before, after }) =>
      when(after?.field === "opening" && !!before && before.value !== after.value, meaningOf("opening")),
    message: "how a connection opens changed from {before} to {after}. {meaning}",
    receiver: "A server that only knows one way refuses the first message of the other.",
    sender: "A client has to find out what the server speaks, and open accordingly.",
    source: "Code that keeps state per connection has to move it: into the request, or behind a handle of its own.",
    hint: "Serve both with one handler, as the runtime does.",
  }),
  rule({
    id: "behaviour-changed",
    category: "behaviour",
    purpose: "Something that only the prose says is different.",
    on: "profile",
    find: behaviour,
    message: "`{name}` was {before} and is {after}. {meaning}",
    receiver: "Whoever receives goes by the agreed revision.",
    sender: "Whoever sends goes by the agreed revision.",
    source: "Nothing changes in types; code that relied on it has to read the profile.",
    hint: "Read `profile.{name}` instead of comparing revisions.",
  }),
  rule({
    id: "behaviour-unstated",
    category: "unstated",
    purpose: "Only one of the revisions says what peers do.",
    on: "profile",
    find: ({ before, after }) => when(!before !== !after),
    message: "{name} is stated for one revision only",
    receiver: "Nobody has said what to expect.",
    sender: "Nobody has said what to do.",
    source: "The field is absent from the profile.",
    hint: "State it in the overlay, under profile.{name}.",
  }),
  rule({
    id: "result-tag-changed",
    category: "wire",
    purpose: "Another member of results tells which kind of result it is, and what its values mean.",
    on: "resultTag",
    find: ({ before, after }) => when(JSON.stringify(before) !== JSON.stringify(after)),
    message: "what tells results apart changed",
    receiver: "Who speaks {new} reads the tag first; when it is absent, the result is the method's own.",
    sender: "Who speaks {new} tags results; who speaks {old} does not know the tag.",
    source: "Results narrow when the tag is compared.",
    hint: "Use the generated outcome types.",
  }),
] as const;
