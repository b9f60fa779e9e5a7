/** The large results: 1 MB of text that JSON has to escape in places, or an image of 10 MB in base64. */
export type LargeName = "text" | "image";

export interface Large {
  readonly name: LargeName;
  readonly title: string;
  /** The least number of bytes of a reply. */
  readonly leastBytes: number;
}

export const larges: readonly Large[] = [
  { name: "text", title: "1 MB of text", leastBytes: 2 ** 20 },
  { name: "image", title: "10 MB of base64", leastBytes: 10_000_000 },
];
