import { revisions } from "@mcpwright/protocol";
import { checkEntry } from "../../../validate/check-message.js";
import { type ConversationState, createConversationState } from "../../../validate/conversation-state.js";
import { FindingCollector } from "../../../validate/finding-collector.js";
import { loadFactsWithExtensions } from "../../../validate/published-extensions.js";
import type { RecordEntry } from "../../../validate/record-entry.js";
import { RevisionDetector } from "../../../validate/revision-detector.js";
import type { RevisionFacts } from "../../../validate/revision-facts.js";
import type { MessagePassed } from "../../relay-events.js";
import type { MessageFinding } from "../page-data.js";

export interface LiveCheckOptions {
  /** Called with the findings about the message of a row. */
  readonly onFindings: (row: number, findings: readonly MessageFinding[]) => void;
  /** Called when messages cannot be checked. */
  readonly onNote: (text: string) => void;
}

interface Waiting extends RecordEntry {
  readonly isOwn: boolean;
}

/** The messages that wait until the conversation states its revision. */
const maxWaiting = 1_000;
/** The ids, tokens and questions that are remembered of each side. */
const maxRemembered = 10_000;

/** Checks the messages of one connection while they pass, by the rules of `mcpwright validate`. */
export class LiveCheck {
  readonly #detector = new RevisionDetector();
  readonly #state = createConversationState();
  #waiting: Waiting[] = [];
  #facts: RevisionFacts | undefined;
  #isDetected = false;

  constructor(private readonly options: LiveCheckOptions) {}

  /** Checks a message as soon as the revision of the connection is known. @param row the id of its row, which findings name as its line */
  add({ message, direction, origin, isHidden }: MessagePassed, row: number): void {
    if (isHidden) return;
    const from = direction === "to-server" ? "client" : "server";
    const entry = { line: row, from, message, isOwn: origin === "relay" } as const;
    if (this.#facts) return this.#check(entry, this.#facts);
    if (this.#waiting.length < maxWaiting) this.#waiting.push(entry);
    const found = this.#isDetected ? undefined : this.#detector.add(entry);
    if (found === undefined) return;
    this.#isDetected = true;
    void this.#load(found);
  }

  async #load(revision: string): Promise<void> {
    const known: readonly string[] = revisions;
    try {
      if (!known.includes(revision)) throw new Error(`known are ${known.join(", ")}`);
      this.#facts = await factsOf(revision);
    } catch (error) {
      this.#waiting = [];
      this.options.onNote(`messages of revision ${revision} are not checked: ${(error as Error).message}`);
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const entry of waiting) this.#check(entry, this.#facts);
  }

  #check(entry: Waiting, facts: RevisionFacts): void {
    const findings = new FindingCollector();
    checkEntry(entry, this.#state, facts, findings);
    forgetOldest(this.#state);
    // The messages of the relay change the state of the conversation, but are not those of the developer.
    if (!entry.isOwn) this.options.onFindings(entry.line, findings.kept.map(withoutLine));
  }
}

const loaded = new Map<string, Promise<RevisionFacts>>();

function factsOf(revision: string): Promise<RevisionFacts> {
  const facts = loaded.get(revision) ?? loadFactsWithExtensions(revision);
  loaded.set(revision, facts);
  return facts;
}

function withoutLine({ rule, severity, path, message, link }: FindingCollector["kept"][number]): MessageFinding {
  return { rule, severity, path, message, ...(link !== undefined && { link }) };
}

/** A recorded conversation ends; that of a development server may go on for days. */
function forgetOldest({ client, server, questions }: ConversationState): void {
  const maps = [client, server].flatMap(({ open, answered, tokens }) => [open, answered, tokens]);
  for (const map of [...maps, questions]) {
    const [oldest] = map.keys();
    if (map.size > maxRemembered && oldest !== undefined) map.delete(oldest);
  }
}
