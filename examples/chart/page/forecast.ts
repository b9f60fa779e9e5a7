/** The structured content of the tool. */
export interface Forecast {
  readonly latitude: number;
  readonly longitude: number;
  readonly periods: readonly Period[];
}

export interface Period {
  readonly name: string;
  /** In degrees of `unit`. */
  readonly temperature: number;
  readonly unit: Unit;
  readonly sky: string;
}

export type Unit = "F" | "C";

/** Whether a value is a forecast: hosts pass on what servers send. */
export function isForecast(value: unknown): value is Forecast {
  const { latitude, longitude, periods } = (value ?? {}) as Partial<Record<keyof Forecast, unknown>>;
  return (
    typeof latitude === "number" &&
    typeof longitude === "number" &&
    Array.isArray(periods) &&
    periods.length > 1 &&
    periods.every(({ temperature, unit }: Partial<Period>) => typeof temperature === "number" && isUnit(unit))
  );
}

export function inUnit({ temperature, unit }: Period, wanted: Unit): number {
  if (unit === wanted) return temperature;
  return Math.round(wanted === "C" ? ((temperature - 32) * 5) / 9 : (temperature * 9) / 5 + 32);
}

function isUnit(value: unknown): value is Unit {
  return value === "F" || value === "C";
}
