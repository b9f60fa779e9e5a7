import { createHash } from "node:crypto";
import { type Adapter, type AdapterPayload, errors, Provider } from "oidc-provider";
import type { ProxyStore } from "../proxy-store.js";
import type { OpenedValues } from "./opened-values.js";
import type { Sealer } from "../sealer.js";

/** What the adapters of all models share. */
export interface StoreAccess {
  readonly store: ProxyStore;
  readonly sealer: Sealer;
  readonly report: (error: unknown) => void;
  /** Milliseconds that a client is kept after its registration. */
  readonly unusedClientMs: number;
}

/** Models whose values are accepted once. */
const singleUse = ["AuthorizationCode", "RefreshToken"];

/** The models whose values are deleted with the grant that they belong to. */
export const grantedModels: readonly string[] = ["AccessToken", ...singleUse];

/** The id of a value in the store. Those who read the store learn no token from it. */
export function storedId(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}

/** The store failed. The client gets `server_error` and may repeat the request. */
class StoreFailure extends errors.OIDCProviderError {
  override readonly error_description = "the store of this authorization server failed; try again later";

  constructor() {
    super(503, "server_error");
    this.expose = true;
  }
}

/**
 * Keeps the models of oidc-provider in a `ProxyStore`: under the hash of their id, encrypted, and without the id itself. A code or
 * refresh token has a second value, its mark, which the first use takes; several processes cannot use one token twice.
 */
export class StoreAdapter implements Adapter {
  readonly #model: string;
  readonly #access: StoreAccess;
  readonly #opened: OpenedValues | undefined;

  /** @param opened remembers values for callers that do not change them */
  constructor(model: string, access: StoreAccess, opened?: OpenedValues) {
    this.#model = model;
    this.#access = access;
    this.#opened = opened;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    if (this.#isUnused) return;
    const key = storedId(id);
    const expiresAt =
      this.#model === "Client" ? Date.now() + this.#access.unusedClientMs : expiresIn && Date.now() + expiresIn * 1_000;
    await this.put(key, payload.jti === id ? { ...payload, jti: undefined } : payload, expiresAt);
  }

  /** Writes a value. */
  async put(key: string, payload: AdapterPayload, expiresAt: number | undefined): Promise<void> {
    const { store, sealer } = this.#access;
    // Tokens belong to a grant, and grants to an account.
    const owner = this.#model === "Grant" ? payload.accountId : payload.grantId;
    const group = owner === undefined ? undefined : storedId(owner);
    await this.#attempt("write", async () => {
      const sealed = await sealer.seal(this.#model, key, JSON.stringify(payload));
      // Without its mark, a value counts as used: the mark comes first.
      if (this.#isSingleUse) await store.set(this.#mark, key, JSON.stringify({ expiresAt, group }), expiresAt, group);
      await store.set(this.#model, key, sealed, expiresAt, group);
    });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (this.#isUnused) return undefined;
    const payload = await this.get(storedId(id));
    return payload && (this.#model === "Client" ? { ...payload } : { ...payload, jti: id });
  }

  /** Reads the value with an id of the store. */
  async get(key: string): Promise<AdapterPayload | undefined> {
    const { store } = this.#access;
    return this.#attempt("read", async () => {
      const sealed = await store.get(this.#model, key);
      if (sealed === undefined) return undefined;
      const payload = this.#opened?.get(key, sealed) ?? (await this.#open(key, sealed));
      if (!payload) return undefined;
      if (this.#isSingleUse && (await store.get(this.#mark, key)) === undefined) return { ...payload, consumed: true };
      return payload;
    });
  }

  async #open(key: string, sealed: string): Promise<AdapterPayload | undefined> {
    const text = await this.#access.sealer.open(this.#model, key, sealed);
    if (text === undefined) return undefined;
    const payload = JSON.parse(text) as AdapterPayload;
    this.#opened?.set(key, sealed, payload);
    return payload;
  }

  /** @throws InvalidGrant when another request was faster; then the tokens of the grant are deleted */
  async consume(id: string): Promise<void> {
    const { store } = this.#access;
    const key = storedId(id);
    const taken = await this.#attempt("use", () => store.take(this.#mark, key));
    if (taken !== undefined) {
      const { expiresAt, group } = JSON.parse(taken) as { readonly expiresAt?: number; readonly group?: string };
      onFailure(() => store.set(this.#mark, key, taken, expiresAt, group));
      return;
    }
    const payload = await this.get(key);
    if (payload?.grantId !== undefined) await this.#revoke(storedId(payload.grantId));
    throw new errors.InvalidGrant("it was used already");
  }

  async destroy(id: string): Promise<void> {
    if (this.#isUnused) return;
    const { store } = this.#access;
    const key = storedId(id);
    await this.#attempt("delete", async () => {
      await store.delete(this.#model, key);
      if (this.#isSingleUse) await store.delete(this.#mark, key);
    });
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#attempt("delete", () => this.#deleteGroup(this.#model, storedId(grantId)));
  }

  /** Deletes the values of an account: for grants, with which all of its tokens end. */
  async revokeByAccountId(accountId: string): Promise<void> {
    await this.#attempt("delete", () => this.#deleteGroup(this.#model, storedId(accountId)));
  }

  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Without its grant, no token is valid. */
  async #revoke(group: string): Promise<void> {
    await this.#attempt("delete", async () => {
      await this.#access.store.delete("Grant", group);
      for (const model of grantedModels) await this.#deleteGroup(model, group);
    });
  }

  async #deleteGroup(model: string, group: string): Promise<void> {
    const { store } = this.#access;
    await store.deleteGroup(model, group);
    if (singleUse.includes(model)) await store.deleteGroup(markOf(model), group);
  }

  async #attempt<Value>(what: string, act: () => Value | Promise<Value>): Promise<Value> {
    try {
      return await act();
    } catch (cause) {
      this.#access.report(
        new Error(`the store of the OAuth proxy failed to ${what} a value of the kind ${this.#model}`, { cause }),
      );
      throw new StoreFailure();
    }
  }

  /** Each authorization asks the user and the provider: there is no session to keep. */
  get #isUnused(): boolean {
    return this.#model === "Session";
  }

  get #isSingleUse(): boolean {
    return singleUse.includes(this.#model);
  }

  get #mark(): string {
    return markOf(this.#model);
  }
}

function markOf(model: string): string {
  return `${model}Mark`;
}

/** What undoes the writes of a request. */
type Undo = () => void | Promise<void>;

const undos = new WeakMap<object, Undo[]>();

function onFailure(undo: Undo): void {
  const { ctx } = Provider;
  if (!ctx) return;
  const list = undos.get(ctx) ?? [];
  undos.set(ctx, list);
  list.push(undo);
}

/** After a request failed with no token delivered: the client may use its code or refresh token again. */
export async function undoUse(ctx: object, report: (error: unknown) => void): Promise<void> {
  for (const undo of undos.get(ctx) ?? [])
    try {
      await undo();
    } catch (cause) {
      report(new Error("a code or refresh token counts as used, although its request failed", { cause }));
    }
}
