declare module "gifenc" {
  export type Colour = [number, number, number];
  interface Encoder {
    writeFrame(index: Uint8Array, width: number, height: number, options?: { palette?: Colour[]; delay?: number; repeat?: number }): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  export function GIFEncoder(): Encoder;
  export function quantize(rgba: Uint8Array | Uint8ClampedArray, colours: number): Colour[];
  export function applyPalette(rgba: Uint8Array | Uint8ClampedArray, palette: Colour[]): Uint8Array;
}
