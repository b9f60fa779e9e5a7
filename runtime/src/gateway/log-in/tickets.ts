import { type CredentialStore, storeOfUser } from "../../auth.js";
import { cleanErrorText } from "../../auth/error-text.js";
import { reasonOf } from "../../http-client/http-error.js";
import { SdkError } from "../../jsonrpc/errors.js";
import { isObject } from "../../jsonrpc/guards.js";
import type { LogInTarget } from "./server-log-in.js";

/** How long a link is valid. */
export const ticketMs = 10 * 60_000;
/** How often the log-in of one link may begin. */
const maxStarts = 20;
/** What sealed tickets are bound to. */
const purpose = "gateway log-in";

/** The content of a link: sealed, so that only the gateway can read and make it. */
export interface Ticket {
  readonly user: string;
  readonly server: string;
  readonly nonce: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** `gone`: it has expired, or another one has replaced it. */
export type TicketState = "open" | "done" | "denied" | "gone";

/** What is stored of the last ticket of a user. */
interface TicketRecord {
  readonly nonce: string;
  readonly expiresAt: number;
  readonly state: Exclude<TicketState, "gone">;
  /** How often its log-in has begun. */
  readonly starts: number;
  /** When it ended, in milliseconds since 1970. */
  readonly endedAt?: number;
  /** The `WWW-Authenticate` header of the server. */
  readonly challenge?: string | undefined;
}

/** The tickets of the users of one server: each user has one at a time, which can be used once. */
export class Tickets {
  /** Changes of this process, so that two requests at the same time get one ticket. */
  readonly #changes = new Map<string, Promise<unknown>>();

  constructor(
    readonly store: CredentialStore,
    readonly target: LogInTarget,
    /** The page of the gateway. */
    readonly page: string,
  ) {}

  /** Returns the link for the log-in of a user. @param challenge the `WWW-Authenticate` header of the server */
  async issue(user: string, challenge: string | undefined): Promise<{ readonly nonce: string; readonly url: string }> {
    const expiresAt = Date.now() + ticketMs;
    const { nonce } = await this.#change(user, (record) => {
      const isOpen = record?.state === "open" && record.expiresAt > Date.now();
      const kept = isOpen ? record : { nonce: crypto.randomUUID(), state: "open" as const, starts: 0 };
      return { ...kept, expiresAt, challenge: challenge ?? record?.challenge };
    });
    const ticket: Ticket = { user, server: this.target.name, nonce, expiresAt };
    const url = new URL(this.page);
    url.searchParams.set("ticket", await this.target.sealer.seal(ticket, purpose));
    return { nonce, url: url.href };
  }

  async stateOf(user: string, nonce: string): Promise<TicketState> {
    const record = await this.#read(user);
    if (record?.nonce !== nonce || (record.state === "open" && record.expiresAt <= Date.now())) return "gone";
    return record.state;
  }

  /** Counts a log-in that begins. @returns whether it may */
  async begin({ user, nonce }: Ticket): Promise<boolean> {
    if ((await this.stateOf(user, nonce)) !== "open") return false;
    const begun = await this.#change(user, (record) => record && { ...record, starts: record.starts + 1 });
    return begun !== undefined && begun.starts <= maxStarts;
  }

  /** Ends a ticket that can still be used. */
  async end({ user, nonce }: Ticket, state: "done" | "denied"): Promise<void> {
    await this.#change(user, (record) =>
      record?.nonce === nonce && record.state === "open" ? { ...record, state, endedAt: Date.now() } : record,
    );
  }

  /** The header that the server sent when it asked for the log-in. */
  async challengeOf(user: string): Promise<string | undefined> {
    return (await this.#read(user))?.challenge;
  }

  /** Whether a user has logged in since then, also at another node. @param since in milliseconds since 1970 */
  async isDone(user: string, since: number): Promise<boolean> {
    const record = await this.#read(user);
    return record?.state === "done" && (record.endedAt ?? 0) >= since;
  }

  async #read(user: string): Promise<TicketRecord | undefined> {
    const record = parsed(await guarded("read", [], () => this.#storeOf(user).get("ticket")));
    return isRecord(record) ? record : undefined;
  }

  async #change<Changed extends TicketRecord | undefined>(
    user: string,
    change: (record: TicketRecord | undefined) => Changed,
  ): Promise<Changed> {
    const store = this.#storeOf(user);
    const work = async (): Promise<Changed> => {
      const changed = change(await this.#read(user));
      const text = JSON.stringify(changed);
      if (changed) await guarded("write", [text, changed.nonce], () => store.set("ticket", text));
      return changed;
    };
    const before = this.#changes.get(user) ?? Promise.resolve();
    const next = before.then(() =>
      store.withLock ? store.withLock("ticket", work, AbortSignal.timeout(10_000)) : work(),
    );
    const settled = next.catch(() => undefined);
    this.#changes.set(user, settled);
    try {
      return await next;
    } finally {
      if (this.#changes.get(user) === settled) this.#changes.delete(user);
    }
  }

  #storeOf(user: string): CredentialStore {
    return storeOfUser(this.store, JSON.stringify([user, this.target.name]));
  }
}

/** Opens the ticket of a link. @returns undefined for one that this gateway has not made, or that has expired */
export async function openTicket(sealer: LogInTarget["sealer"], text: string): Promise<Ticket | undefined> {
  const ticket = (await sealer.open(text, purpose)) as Ticket | undefined;
  return ticket && ticket.expiresAt > Date.now() ? ticket : undefined;
}

/**
 * Calls the store.
 * @param secrets what its errors must not show
 * @throws SdkError `STORE_FAILED`, without a cause, which could contain what was to be stored
 */
async function guarded<Value>(
  what: string,
  secrets: readonly string[],
  call: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    const reason = cleanErrorText(reasonOf(Object(error)), secrets) ?? "unknown error";
    throw new SdkError("STORE_FAILED", `the store of the log-ins could not ${what} a link: ${reason}`);
  }
}

/** A text that is not JSON counts as absent: the next link replaces it. */
function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is TicketRecord {
  return (
    isObject(value) &&
    typeof value["nonce"] === "string" &&
    typeof value["expiresAt"] === "number" &&
    typeof value["starts"] === "number" &&
    ["open", "done", "denied"].includes(value["state"] as string)
  );
}
