export interface Goal {
  readonly goal: string;
  readonly most: number;
  readonly measured: number;
  readonly met: boolean;
}

export function goal(name: string, most: number, measured: number): Goal {
  return { goal: name, most, measured, met: measured <= most };
}
