// The line to the simulation: opens, opens again when it breaks, reads messages.

const AGAIN = [500, 1000, 2000, 4000]; // ms before each attempt

export class Socket extends EventTarget {
  /** @param {string} address as the page gives it, relative to the page */
  constructor(address) {
    super();
    this.url = new URL(address, location.href);
    this.url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    this.attempts = 0;
    this.#open();
  }

  #open() {
    this.socket = new WebSocket(this.url);
    this.socket.addEventListener("open", () => {
      this.attempts = 0;
      this.dispatchEvent(new Event("open"));
    });
    this.socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
    });
    this.socket.addEventListener("close", () => this.#closed());
  }

  #closed() {
    this.dispatchEvent(new Event("closed"));
    const wait = AGAIN[this.attempts];
    this.attempts += 1;
    if (wait !== undefined) setTimeout(() => this.#open(), wait);
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
