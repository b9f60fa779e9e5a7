import { COMPLETION_COMPLETE, PROMPTS_GET, ROOTS_LIST, TOOLS_CALL } from "@mcpwright/protocol/names";
import type { CompleteRequestParams } from "../../authoring.js";
import { type ProtocolError, SdkError } from "../../jsonrpc/errors.js";
import type { ForwardedRequest } from "../forward/forwarded-request.js";
import { withheldError } from "../lists/withheld-error.js";
import type { FetchedList, ListItems, ListName } from "../upstream/catalog.js";
import { applyPolicy, type PinningPolicy } from "./apply-policy.js";
import type { ChangeReports } from "./change-reports.js";
import { compareWithLock, type SurfaceChange } from "./compare-with-lock.js";
import type { GatewayLock } from "./gateway-lock.js";
import type { PinnedConnection, PinningTarget } from "./gateway-pinning.js";
import type { ServerSurface } from "./server-surface.js";

const pinnedLists = ["tools", "prompts"] as const;

/** Milliseconds after which the lists of a server that does not notify of changes are compared again before a request. */
const maxAgeMs = 60_000;
/** How often to begin again when lists change while they are compared. */
const maxRounds = 5;

/** What a server shows over one connection, compared with a lock. */
export class PinnedSurface implements PinnedConnection {
  /** The lock of the last comparison. */
  #lock: GatewayLock | undefined;
  #instructions: string | undefined;
  #refusal: SdkError | undefined;
  readonly #withheld = new Map<ListName, readonly ListItems[ListName][]>();
  readonly #names = new WeakMap<FetchedList, ReadonlySet<string>>();

  constructor(
    private readonly target: PinningTarget,
    private readonly policy: PinningPolicy,
    private readonly currentLock: () => GatewayLock,
    private readonly reports: ChangeReports,
  ) {}

  get isRefused(): boolean {
    return this.#refusal !== undefined;
  }

  get isCompared(): boolean {
    const { catalog } = this.target;
    if (this.#refusal || this.#lock !== this.currentLock()) return false;
    return pinnedLists.every((list) => catalog.isCurrent(list, maxAgeMs));
  }

  get instructions(): string | undefined {
    return this.#refusal ? undefined : this.#instructions;
  }

  async compare(meta: object): Promise<void> {
    const { catalog } = this.target;
    for (let round = 0; round < maxRounds; round++) {
      if (this.#refusal) throw this.#refusal;
      this.#adoptLock();
      await Promise.all(pinnedLists.map((list) => catalog.fetch(list, meta)));
      if (this.isCompared) return;
    }
    throw this.#refusal ?? new SdkError("NOT_APPROVED", "its lists change each time they are compared with the lock");
  }

  approve<Name extends ListName>(list: Name, items: readonly ListItems[Name][]): readonly ListItems[Name][] {
    if (!isPinned(list)) return items;
    const surface: ServerSurface = this.#approved({ [list]: items });
    const approved = surface[list] as unknown as readonly ListItems[Name][];
    const kept = new Set(approved);
    this.#withheld.set(list, approved === items ? [] : items.filter((item) => !kept.has(item)));
    return approved;
  }

  withheld<Name extends ListName>(list: Name): readonly ListItems[Name][] {
    return (this.#withheld.get(list) ?? []) as readonly ListItems[Name][];
  }

  problemOf({ method, params }: ForwardedRequest): ProtocolError | undefined {
    switch (method) {
      case TOOLS_CALL:
        return this.#problemOf("tools", params["name"]);
      case PROMPTS_GET:
        return this.#problemOf("prompts", params["name"]);
      case COMPLETION_COMPLETE: {
        const { ref } = params as unknown as CompleteRequestParams;
        return ref.type === "ref/prompt" ? this.#problemOf("prompts", ref.name) : undefined;
      }
      default:
        return undefined;
    }
  }

  mayAsk(method: string): boolean {
    // Many servers request the roots before anything else.
    return !this.#refusal && (method === ROOTS_LIST || this.#lock !== undefined);
  }

  #adoptLock(): void {
    const lock = this.currentLock();
    if (this.#lock === lock) return;
    const { catalog, client } = this.target;
    this.#lock = lock;
    for (const list of pinnedLists) catalog.invalidate(list);
    this.#instructions = this.#approved({ instructions: client.getInstructions() ?? "" }).instructions;
  }

  /** @throws SdkError `NOT_APPROVED` when the policy refuses the server */
  #approved(surface: ServerSurface): ServerSurface {
    const { server, report } = this.target;
    const changes = compareWithLock(this.currentLock(), server, surface);
    if (changes.length === 0) return surface;
    this.reports.report(server, changes, report);
    const approved = applyPolicy(this.policy, changes, surface);
    if (approved) return approved;
    this.#refusal = new SdkError("NOT_APPROVED", refusalOf(changes));
    throw this.#refusal;
  }

  #problemOf(list: (typeof pinnedLists)[number], name: unknown): ProtocolError | undefined {
    const shown = this.target.catalog.latest(list);
    let names = shown && this.#names.get(shown);
    if (shown && !names) this.#names.set(shown, (names = new Set(shown.items.map((item) => item.name))));
    // Servers may accept what they do not list.
    if (this.policy === "report" || names?.has(name as string)) return undefined;
    return withheldError(list, String(name), this.target.server);
  }
}

function isPinned(list: ListName): list is (typeof pinnedLists)[number] {
  return list === "tools" || list === "prompts";
}

/** For clients and their models: without texts of the server. */
function refusalOf(changes: readonly SurfaceChange[]): string {
  if (changes.some(({ change }) => change === "unlocked")) return "it is not approved: the lock does not contain it";
  const count = (wanted: SurfaceChange["change"]): number => changes.filter(({ change }) => change === wanted).length;
  return `it is not approved as it is now: it differs from the lock (${count("changed")} changed, ${count("added")} added)`;
}
