import type { StoredValue, ValueStore } from "./backplane-store.js";
import type { NodeLiveness } from "./node-liveness.js";
import { parseObject } from "./parse-object.js";

/** The state of the messages of a session that belong to no request. */
interface ClaimState {
  /** The node whose stream gets the messages; absent when no stream is open. */
  readonly node?: string | undefined;
  /** Distinguishes the claims of that node, which could have forgotten the session and learned it again. */
  readonly holder?: string | undefined;
  /** The id of the newest entry that was sent. */
  readonly delivered?: string | undefined;
  /** The id of the newest change that was looked at. */
  readonly seen?: string | undefined;
}

/** The number of claims in this process. */
let claims = 0;

/**
 * The right to send the messages of a session that belong to no request: one stream at one node has it, the newest. It is a value that
 * names the newest sent message. A stream must change the value before it sends the next one, so that no message is sent twice. This also
 * holds for a node that was taken for dead, and goes on later. When a failover of the backplane has lost the newest value, the node with the
 * claim writes it again.
 */
export class ListenerClaim {
  state: ClaimState = {};
  readonly #holder = String(++claims);
  #version: string | undefined;
  /** Settles when the value is not being changed. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    readonly values: ValueStore,
    readonly sessionId: string,
    readonly liveness: NodeLiveness,
    readonly ttlMs: number,
  ) {}

  get node(): string {
    return this.liveness.node;
  }

  /** Whether this node has the claim, as far as it knows. */
  get isHeld(): boolean {
    return this.#version !== undefined;
  }

  /** Whether this node still has the claim. @throws BackplaneError */
  isCurrent(): Promise<boolean> {
    return this.#inTurn(async () => {
      const version = this.#version;
      return version !== undefined && (await this.#read())?.version === version;
    });
  }

  /**
   * Takes the claim.
   * @param fromOthers whether to take it also from the stream of another node that has it, and is alive
   * @returns whether this node has it now
   * @throws BackplaneError
   */
  take(fromOthers: boolean): Promise<boolean> {
    return this.#inTurn(async () => {
      for (;;) {
        const value = await this.#read();
        const { node, delivered, seen } = parse(value?.text);
        if (!fromOthers && !(await this.#isFree(node))) {
          this.#version = undefined;
          return false;
        }
        this.state = { node: this.node, holder: this.#holder, delivered, seen };
        if (await this.#write(value?.version ?? null)) return true;
      }
    });
  }

  /** Whether no living node has the claim, except this one. @throws BackplaneError */
  async isVacant(): Promise<boolean> {
    return this.#isFree(parse((await this.#read())?.text).node);
  }

  async #isFree(node: string | undefined): Promise<boolean> {
    return node === undefined || node === this.node || !(await this.liveness.isAlive(node));
  }

  /**
   * Notes that an entry will be sent. Returns whether this node still has the claim.
   * @param isCurrent whether the stream that will send it is still the newest
   * @throws BackplaneError
   */
  noteDelivery(delivered: string, isCurrent: () => boolean): Promise<boolean> {
    return this.#inTurn(async () => {
      const version = this.#version;
      if (version === undefined || !isCurrent()) return false;
      this.state = { ...this.state, delivered };
      return this.#replace(version);
    });
  }

  /** Writes the state again if a failover of the backplane has lost it. @throws BackplaneError */
  restore(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#version === undefined) return;
      const value = await this.#read();
      if (value && value.version !== this.#version && this.#isOwn(value)) await this.#write(value.version);
    });
  }

  /**
   * Writes the state, if this node still has the claim. A failure is tried again: without this, an entry would not be sent. An earlier
   * state of this claim, which a failover of the backplane has brought back, is replaced.
   * @returns whether the state was written
   * @throws BackplaneError when it fails again
   */
  async #replace(version: string): Promise<boolean> {
    let failure: unknown;
    try {
      if (await this.#write(version)) return true;
    } catch (error) {
      failure = error;
    }
    const value = await this.#read().catch((error: unknown) => {
      throw failure ?? error;
    });
    // A write that failed may have been carried out.
    if (value?.text === JSON.stringify(this.state)) this.#version = value.version;
    else if (value && this.#isOwn(value)) return this.#write(value.version);
    else this.#version = undefined;
    return this.#version !== undefined;
  }

  #isOwn({ text }: StoredValue): boolean {
    const { node, holder } = parse(text);
    return node === this.node && holder === this.#holder;
  }

  async #read(): Promise<StoredValue | undefined> {
    return this.values.get(listenerKey(this.sessionId));
  }

  /** Gives the claim back. Returns whether this node had it. @throws BackplaneError */
  giveBack(): Promise<boolean> {
    return this.#inTurn(async () => {
      const version = this.#version;
      if (version === undefined) return false;
      const { delivered, seen } = this.state;
      this.state = { delivered, seen };
      const had = await this.#replace(version);
      this.#version = undefined;
      return had;
    });
  }

  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(change);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  /** Keeps the value for the time of the session. */
  async keep(): Promise<void> {
    await this.values.extend(listenerKey(this.sessionId), this.ttlMs);
  }

  async #write(ifVersion: string | null): Promise<boolean> {
    const text = JSON.stringify(this.state);
    this.#version = await this.values.set(listenerKey(this.sessionId), text, { ttlMs: this.ttlMs, ifVersion });
    return this.#version !== undefined;
  }
}

export function listenerKey(sessionId: string): string {
  return `listener:${sessionId}`;
}

/** Whether a value of a claim names a node. */
export function isListening(text: string | undefined): boolean {
  return parse(text).node !== undefined;
}

function parse(text: string | undefined): ClaimState {
  // The claim starts anew when another program overwrote it.
  return parseObject(text ?? "{}") ?? {};
}
