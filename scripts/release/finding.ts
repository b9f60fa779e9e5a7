/** Something that is wrong with a release. */
export interface Finding {
  /** A defect of the packages, or only in the way of publishing them from here and now: a dry run passes with the latter. */
  readonly kind: "defect" | "obstacle";
  /** The file and the place in it. */
  readonly where: string;
  readonly what: string;
  /** What to do. */
  readonly remedy: string;
}

export function defect(where: string, what: string, remedy: string): Finding {
  return { kind: "defect", where, what, remedy };
}

export function obstacle(where: string, what: string, remedy: string): Finding {
  return { kind: "obstacle", where, what, remedy };
}

/** One finding as two lines. */
export function printFinding({ where, what, remedy }: Finding): string {
  return `  - ${where}: ${what}\n    ${remedy}`;
}
