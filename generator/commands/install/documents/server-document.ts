/** The entry of a server, as data. */
export type Entry = Readonly<Record<string, unknown>>;

/** The text of a host's file, of which only the entry of one server is changed. */
export interface ServerDocument {
  /** The names of all servers. */
  readonly names: readonly string[];
  /** The entry of a server; undefined when there is none. */
  readonly entry: (name: string) => Entry | undefined;
  /** The text with another entry for a server, which is the last one if it is new. */
  readonly set: (name: string, entry: Entry) => string;
  /**
   * The texts without the entry of a server, the preferred one first. They differ in what else `set` may have created: the object
   * around the entry, line breaks, the document.
   */
  readonly without: (name: string) => readonly string[];
}
