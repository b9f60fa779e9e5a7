import type { RawRequest } from "./json-messages.js";

export interface PendingRequest {
  readonly request: RawRequest;
  /** When it passed, by the clock of the relay. */
  readonly at: number;
  /** The batch that it is part of. */
  readonly batch: unknown;
}

/** Requests in one direction that have no response yet, in the order in which they passed. */
export class PendingRequests {
  readonly #requests = new Map<string | number, PendingRequest>();

  add(request: RawRequest, at: number, unit: unknown): void {
    this.#requests.set(request.id, { request, at, batch: Array.isArray(unit) ? unit : undefined });
  }

  has(id: string | number): boolean {
    return this.#requests.has(id);
  }

  /** Removes a request that was answered or cancelled. */
  remove(id: unknown): PendingRequest | undefined {
    const found = this.#requests.get(id as string);
    this.#requests.delete(id as string);
    return found;
  }

  /** Removes and returns all requests, except those that `isKept` names. */
  removeAll(isKept: (pending: PendingRequest) => boolean = () => false): readonly PendingRequest[] {
    const removed = [...this.#requests.values()].filter((one) => !isKept(one));
    for (const { request } of removed) this.#requests.delete(request.id);
    return removed;
  }

  find(isWanted: (pending: PendingRequest) => boolean): PendingRequest | undefined {
    return [...this.#requests.values()].find(isWanted);
  }
}

export interface ErrorUnit {
  readonly unit: unknown;
  /** When the first of its requests passed. */
  readonly at: number;
}

/** The error responses to requests that get no other: a message for each, and a batch for those of a batch. */
export function errorUnits(requests: readonly PendingRequest[], code: number, message: string): readonly ErrorUnit[] {
  const units: ErrorUnit[] = [];
  const batches = new Map<unknown, unknown[]>();
  for (const { request, batch, at } of requests) {
    const response = { jsonrpc: "2.0", id: request.id, error: { code, message } };
    const known = batches.get(batch);
    if (known) known.push(response);
    else if (batch === undefined) units.push({ unit: response, at });
    else {
      const unit = [response];
      batches.set(batch, unit);
      units.push({ unit, at });
    }
  }
  return units;
}
