import type { Contract } from '../../src/contracts/operation.js';
import type { Host } from '../../src/surfaces/host.js';
import type { Log } from '../../src/surfaces/log.js';
export declare const fakeContract: Contract;
/** Shares the tool name `echo`, and words its failures itself. */
export declare const otherContract: Contract;
export declare const adminContract: Contract;
export interface FakeHost extends Host {
    opened: number;
    closed: number;
    broken: boolean;
}
export declare function fakeHost(contracts?: readonly Contract[]): FakeHost;
export declare function memoryLog(): Log & {
    readonly lines: readonly {
        readonly level: string;
        readonly message: string;
        readonly fields: unknown;
    }[];
};
