// The memory of a WebAssembly module: constants first, then the stack, then arrays one behind the other.

const STACK = 1 << 18; // bytes; kernels keep their work on it
const PAGE = 1 << 16;

export class Memory {
  /** @param {number} dataEnd where the constants of the module end */
  constructor(dataEnd) {
    this.memory = new WebAssembly.Memory({ initial: 4 + Math.ceil((dataEnd + STACK) / PAGE) });
    this.stack = new WebAssembly.Global({ value: "i32", mutable: true }, dataEnd + STACK);
    this.end = dataEnd + STACK;
  }

  /** The address of room for so many numbers of eight bytes, all zero. */
  room(count) {
    const address = this.end;
    this.end += 16 * Math.ceil((8 * Math.max(count, 1)) / 16);
    const missing = this.end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    return address;
  }

  /** The numbers at an address. Made anew for each use: they are another view once the memory has grown. */
  reals(address, count) {
    return new Float64Array(this.memory.buffer, address, count);
  }

  integers(address, count) {
    return new BigInt64Array(this.memory.buffer, address, count);
  }

  /** What LLVM makes of loops that fill or copy. */
  get functions() {
    const bytes = () => new Uint8Array(this.memory.buffer);
    const copy = (to, from, count) => (bytes().copyWithin(to, from, from + count), to);
    return { memset: (to, value, count) => (bytes().fill(value, to, to + count), to), memcpy: copy, memmove: copy };
  }
}
