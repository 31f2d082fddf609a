// Platform is what differs between operating systems, or what only their C library has:
//
//   Descriptor, FileSystem, UnnamedFile      files, pipes and devices, by the calls of POSIX
//   SystemClock                              the monotonic clock, the time of day, local dates
//   Signal, Terminal, Program                the process and what is around it
//   Fault, Restart, ReadingNotes, FixedText  what is done where the program itself fails
//   UserAccount, Confinement, PrivilegeTrial how root is given up, and the proof that it is
//   PacketDevices                            what capturing needs besides libpcap
//   Memory                                   searching and wiping bytes
//
// It is the only module that may import Glibc, Musl, Darwin, CLinux or CDarwin; .ci/arrows refuses such an import
// anywhere else. What fails here throws a SystemError: the words for people are those of the caller. Nothing here
// allocates or retains where packets pass: Descriptor is a number, and reading goes into the caller's memory.
//
// Linux is built and tested. The side of Darwin (`#if canImport(Darwin)`) is written from the manual pages: BPF devices
// through libpcap, root given up by setgid and setuid, no counterpart of seccomp and Landlock.
