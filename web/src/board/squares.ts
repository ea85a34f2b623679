// The names of the squares, and the order in which they are drawn.

const files = 'abcdefgh';

/** Square names in the order in which they are drawn, row by row. */
export function squaresOf(size: number, flipped: boolean): string[][] {
  const rows: string[][] = [];
  for (let r = 0; r < size; r++) {
    const rank = flipped ? r + 1 : size - r;
    const row: string[] = [];
    for (let c = 0; c < size; c++) row.push(`${files[flipped ? size - 1 - c : c]}${rank}`);
    rows.push(row);
  }
  return rows;
}

export const isDark = (square: string) => (files.indexOf(square[0] ?? 'a') + Number(square[1])) % 2 === 1;
