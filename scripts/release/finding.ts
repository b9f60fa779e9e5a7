/** A problem with a release. */
export interface Finding {
  /** A defect must be fixed in the packages. An obstacle only prevents publishing from here and now: a dry run passes with it. */
  readonly kind: "defect" | "obstacle";
  /** The file and the place in it. */
  readonly where: string;
  readonly what: string;
  /** How to fix it. */
  readonly remedy: string;
}

export function defect(where: string, what: string, remedy: string): Finding {
  return { kind: "defect", where, what, remedy };
}

export function obstacle(where: string, what: string, remedy: string): Finding {
  return { kind: "obstacle", where, what, remedy };
}

/** The two printed lines of a finding. */
export function printFinding({ where, what, remedy }: Finding): string {
  return `  - ${where}: ${what}\n    ${remedy}`;
}
