import { toError } from "../../jsonrpc/error-conversion.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { sliceWhole } from "../review/escape-hidden.js";
import type { PinningPolicy } from "./apply-policy.js";
import type { SurfaceChange } from "./compare-with-lock.js";
import { renderChanges } from "./render-changes.js";

/** Characters of a report: a server chooses how many changes there are. */
const maxLength = 4_000;
/** Reports of one server that are remembered. */
const maxRemembered = 100;

const consequences: Readonly<Record<PinningPolicy, string>> = {
  refuse: "the server is refused",
  quarantine: "new and changed items are withheld",
  report: "clients see it nevertheless",
};

/** Reports changes as a diff, each set of changes once. */
export class ChangeReports {
  readonly #reported = new Map<string, Set<string>>();

  constructor(
    readonly policy: PinningPolicy,
    readonly onchange: ((changes: readonly SurfaceChange[]) => void) | undefined,
  ) {}

  /** @param changes at least one, of one server */
  report(server: string, changes: readonly SurfaceChange[], report: (error: Error) => void): void {
    const [, ...lines] = renderChanges(changes, { maxTextLength: 500, maxChanges: 20 }).split("\n");
    const diff = lines.join("\n");
    if (!this.#isNew(server, diff)) return;
    const isHarmless = changes.every(({ change }) => change === "removed");
    const consequence = isHarmless ? "nothing new is shown" : consequences[this.policy];
    const shown = sliceWhole(diff, 0, maxLength);
    const rest = shown.length < diff.length ? `\n… (${diff.length - shown.length} more characters)` : "";
    report(new SdkError("NOT_APPROVED", `it differs from the lock; ${consequence}:\n${shown}${rest}`));
    try {
      this.onchange?.(changes);
    } catch (error) {
      report(toError(error));
    }
  }

  #isNew(server: string, diff: string): boolean {
    // The whole diff can be long.
    const key = `${diff.length} ${sliceWhole(diff, 0, maxLength)}`;
    let reported = this.#reported.get(server);
    if (!reported) this.#reported.set(server, (reported = new Set()));
    if (reported.has(key)) return false;
    if (reported.size >= maxRemembered) reported.clear();
    reported.add(key);
    return true;
  }
}
