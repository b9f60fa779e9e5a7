/** The styles for parts of the output. */
export interface TextStyles {
  readonly strong: (text: string) => string;
  readonly name: (text: string) => string;
  readonly faint: (text: string) => string;
}

const same = (text: string): string => text;

export const plainStyles: TextStyles = { strong: same, name: same, faint: same };

const between = (begin: number, end: number) => (text: string) => `\u001b[${begin}m${text}\u001b[${end}m`;

export const colourStyles: TextStyles = { strong: between(1, 22), name: between(36, 39), faint: between(2, 22) };
