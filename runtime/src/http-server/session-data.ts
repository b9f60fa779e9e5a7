/** The data that handlers keep for one session: JSON values by key, changed in one step. */
export interface SessionData {
  /** Returns a copy of the values. */
  read(): SessionValues | Promise<SessionValues>;
  /**
   * Changes the values.
   * @param change returns the JSON text of the new values; undefined: they stay as they are. It can be called several times, each time
   *   with newer values
   */
  change(change: (values: SessionValues) => string | undefined): void | Promise<void>;
}

/** JSON values by key. */
export type SessionValues = Readonly<Record<string, unknown>>;
