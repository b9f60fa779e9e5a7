/** Encrypts what the store keeps. A value opens only under the kind and id it was sealed for. */
export interface ValueSealer {
  seal(kind: string, id: string, text: string): Promise<string>;
  /** @returns undefined when the value was changed, or sealed for another id or with another secret */
  open(kind: string, id: string, sealed: string): Promise<string | undefined>;
}
