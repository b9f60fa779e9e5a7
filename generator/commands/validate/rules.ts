/** How grave a finding is: what the specification forbids, what it advises against, what one may want to know. */
export type ValidationSeverity = "error" | "warning" | "note";

interface Rule {
  readonly severity: ValidationSeverity;
  /** What the rule asks for. */
  readonly asks: string;
}

/** What a conversation is held against. */
export const rules = {
  "record-empty": { severity: "warning", asks: "There are messages in the record." },
  "line-malformed": { severity: "error", asks: "Each line is one JSON object." },
  "line-too-long": { severity: "error", asks: "No line is longer than 64 MiB." },
  "line-form": { severity: "error", asks: "A line says who sent which message: from and message." },
  envelope: { severity: "error", asks: "A message is a request, a notification or an answer of JSON-RPC 2.0." },
  batch: { severity: "error", asks: "Batches stand only where the revision has them, and are not empty." },
  "id-reused": { severity: "error", asks: "No id is used for two requests of the same side." },
  "method-unknown": { severity: "warning", asks: "The revision knows the method." },
  direction: { severity: "error", asks: "A method is sent by the side that may send it, and as what it is." },
  params: { severity: "error", asks: "Params have the shape that the revision's schema gives them." },
  "other-revision": { severity: "note", asks: "A request says the revision in which the conversation is held." },
  "lifecycle-order": { severity: "error", asks: "A session is opened before anything else." },
  "lifecycle-again": {
    severity: "warning",
    asks: "A session is opened once, unless the server has dropped it (over HTTP).",
  },
  "lifecycle-haste": { severity: "warning", asks: "Before a session is open, both sides keep to pings." },
  "revision-differs": { severity: "error", asks: "The session is opened in the revision of the conversation." },
  capability: { severity: "error", asks: "What a message needs was declared before." },
  "answer-unknown": { severity: "error", asks: "An answer has a request that is open." },
  "answer-after-cancel": { severity: "warning", asks: "A cancelled request is not answered." },
  unanswered: { severity: "note", asks: "Each request has an answer before the record ends." },
  result: { severity: "error", asks: "A result has the shape that belongs to the method of its request." },
  "result-alternative": { severity: "error", asks: "A result is one of those that its method may have." },
  question: {
    severity: "error",
    asks: "Questions in results, and their answers, belong together and have their shapes.",
  },
  "progress-token": {
    severity: "error",
    asks: "Progress is told of an open request that asked for it; no two share a token.",
  },
  "progress-order": { severity: "error", asks: "Progress increases." },
  "cancel-unknown": {
    severity: "error",
    asks: "What is cancelled is a request of the side that cancels, and not the opening.",
  },
  "cancel-late": { severity: "note", asks: "What is cancelled has no answer yet." },
  "log-unasked": { severity: "error", asks: "Logs come only while a request asks for them." },
  subscription: { severity: "error", asks: "Changes are told on a subscription that is open and acknowledged." },
  deprecated: { severity: "note", asks: "The revision does not deprecate what is used." },
} as const satisfies Readonly<Record<string, Rule>>;

export type ValidationRuleId = keyof typeof rules;
