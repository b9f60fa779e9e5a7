import { AuthorizationError } from "../auth-errors.js";
import { sha256 } from "../tokens/sha256.js";

const maxRemembered = 100;

/** Remembers which assertions were refused, so that none is sent again. Keeps only hashes of them. */
export class RefusedAssertions {
  readonly #errors = new Map<string, AuthorizationError>();

  /** @param use the assertion with what it was used for */
  async add(use: string, error: AuthorizationError): Promise<void> {
    this.#errors.set(await sha256(use), error);
    const [oldest] = this.#errors.keys();
    if (oldest !== undefined && this.#errors.size > maxRemembered) this.#errors.delete(oldest);
  }

  /** @throws AuthorizationError `token-refused` when the assertion was refused before */
  async assertNew(use: string): Promise<void> {
    const error = this.#errors.get(await sha256(use));
    if (!error) return;
    const { reason, ...data } = error.data;
    throw new AuthorizationError(
      reason,
      `${error.message}. The same assertion was not sent again: provide a new one`,
      data,
    );
  }
}
