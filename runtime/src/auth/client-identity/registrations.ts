import type { StoredRecords } from "../session/stored-records.js";
import { registrationsRecord } from "./registration-record.js";
import type { StoredRegistrations } from "./registration-record.js";
import type { Registration } from "./registration.js";

/** The most registrations that are kept per authorization server. */
const maxRegistrations = 20;
/**
 * After how many milliseconds an unfinished log-in makes a registration doubtful. An authorization server that has lost a client shows
 * the user an error page and does not redirect (RFC 6749, section 4.1.2.1), so that this is all that the client notices.
 */
const doubtfulMs = 60_000;

/** The dynamic registrations of the application at one authorization server, in the store. */
export class Registrations {
  constructor(
    readonly records: StoredRecords,
    readonly issuer: string,
    readonly signal: AbortSignal,
  ) {}

  /** Returns the newest registration, or that of a client. Undefined when its secret has expired, too. */
  async find(clientId?: string): Promise<Registration | undefined> {
    const { registrations } = await this.#read();
    const found = clientId === undefined ? registrations[0] : registrations.find((one) => one.clientId === clientId);
    return (found?.secretExpiresAt ?? Infinity) > Date.now() ? found : undefined;
  }

  /** Adds a registration with which a log-in begins. */
  async add(registration: Registration): Promise<void> {
    await this.#change(({ registrations }) => ({
      registrations: [registration, ...registrations],
      unfinishedSince: Date.now(),
    }));
  }

  /** Notes that a log-in with the newest registration begins. @returns false when an earlier one should have finished by now */
  async begin(): Promise<boolean> {
    const now = Date.now();
    const { unfinishedSince } = await this.#read();
    if (unfinishedSince !== undefined) return now - unfinishedSince <= doubtfulMs;
    await this.#change((stored) => ({ unfinishedSince: now, ...stored }));
    return true;
  }

  /** Notes that a log-in has finished: its registration becomes the newest one. */
  async finish(registration: Registration): Promise<void> {
    const { registrations, unfinishedSince } = await this.#read();
    if (unfinishedSince === undefined && registrations[0]?.clientId === registration.clientId) return;
    await this.#change((stored) => ({ registrations: [registration, ...without(registration.clientId, stored)] }));
  }

  /** Deletes a registration that the authorization server does not know any more. */
  async forget(clientId: string): Promise<void> {
    await this.#change((stored) => ({ registrations: without(clientId, stored) }));
  }

  async #read(): Promise<StoredRegistrations> {
    return (await this.records.read(registrationsRecord, this.issuer)) ?? { registrations: [] };
  }

  async #change(change: (stored: StoredRegistrations) => StoredRegistrations): Promise<void> {
    const { records, issuer, signal } = this;
    const work = async (): Promise<void> => {
      const changed = change(await this.#read());
      const registrations = changed.registrations.slice(0, maxRegistrations);
      if (registrations.length === 0) await records.delete(registrationsRecord, issuer);
      else await records.write(registrationsRecord, [issuer], { ...changed, registrations });
    };
    await records.locked(registrationsRecord, [issuer], work, signal);
  }
}

function without(clientId: string, { registrations }: StoredRegistrations): readonly Registration[] {
  return registrations.filter((one) => one.clientId !== clientId);
}
