#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the kernel has and the C library does not wrap, or only as macros that Swift cannot see. */

/* From now on a socket takes no packet; what it holds stays. libpcap's own filters empty what waits as well. */
static inline int clinux_take_no_more(int descriptor) {
  struct sock_filter none = BPF_STMT(BPF_RET | BPF_K, 0);
  struct sock_fprog program = {.len = 1, .filter = &none};
  return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

/* Other C libraries have one arena anyway. */
static inline void clinux_limit_arenas(int count) {
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, count);
#endif
}

/* The C library raises this limit each time it frees a block beyond it, unless it was set. */
static inline void clinux_map_blocks_from(int bytes) {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, bytes);
#endif
}

/* Pages that hold nothing any more go back to the system, wherever they lie. */
static inline void clinux_return_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

extern char **environ;
static inline char **clinux_environment(void) { return environ; }

static inline int clinux_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

static inline int clinux_drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  return (int)syscall(SYS_capset, &header, none);
}

/* Landlock: the numbers are the same on every architecture, and headers older than the kernel lack some. */
enum {
  CLINUX_LANDLOCK_CREATE = 444,
  CLINUX_LANDLOCK_ADD = 445,
  CLINUX_LANDLOCK_ENFORCE = 446,
};

static inline int clinux_landlock_version(void) {
  return (int)syscall(CLINUX_LANDLOCK_CREATE, NULL, 0, 1u << 0);
}

/* Executing, and everything that changes files; reading stays. */
static inline uint64_t clinux_landlock_accesses(int version) {
  /* EXECUTE, WRITE_FILE, and REMOVE_DIR up to MAKE_SYM. */
  uint64_t accesses = 1u << 0 | 1u << 1 | 0x1FF0;
  if (version >= 2) accesses |= 1u << 13; /* REFER */
  if (version >= 3) accesses |= 1u << 14; /* TRUNCATE */
  return accesses;
}

static inline int clinux_landlock_begin(void) {
  struct { uint64_t files, network, scoped; } attributes = {0, 0, 0};
  int version = clinux_landlock_version();
  if (version < 1) return -1;
  attributes.files = clinux_landlock_accesses(version);
  if (version >= 4) attributes.network = 3; /* to bind and to connect */
  if (version >= 6) attributes.scoped = 3;  /* abstract sockets and signals of others */
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  return (int)syscall(CLINUX_LANDLOCK_CREATE, &attributes, size, 0);
}

static inline int clinux_landlock_allow(int rules, int folder) {
  struct { uint64_t accesses; int32_t folder; } __attribute__((packed)) rule;
  rule.accesses = clinux_landlock_accesses(clinux_landlock_version()) & ~(uint64_t)1;
  rule.folder = folder;
  return (int)syscall(CLINUX_LANDLOCK_ADD, rules, 1, &rule, 0);
}

/* O_PATH, as a user who may not list the folder. */
static inline int clinux_open_folder(const char *path) { return open(path, 010000000 | O_DIRECTORY | O_CLOEXEC); }

static inline int clinux_landlock_enforce(int rules) { return (int)syscall(CLINUX_LANDLOCK_ENFORCE, rules, 0); }

/* Calls that nothing here makes and that whoever took over the process would begin with. */
#if defined(__x86_64__)
#define CLINUX_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define CLINUX_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

static inline int clinux_forbid_calls(void) {
#ifdef CLINUX_ARCHITECTURE
#define CLINUX_REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define CLINUX_FORBID(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), CLINUX_REFUSE
  struct sock_filter code[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    /* Another architecture's calls have other numbers. */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLINUX_ARCHITECTURE, 1, 0),
    CLINUX_REFUSE,
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    /* So do those of x32. */
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    CLINUX_REFUSE,
    CLINUX_FORBID(execve), CLINUX_FORBID(execveat),
    CLINUX_FORBID(socket), CLINUX_FORBID(connect), CLINUX_FORBID(bind), CLINUX_FORBID(listen),
    CLINUX_FORBID(ptrace), CLINUX_FORBID(process_vm_readv), CLINUX_FORBID(process_vm_writev),
    CLINUX_FORBID(mount), CLINUX_FORBID(umount2), CLINUX_FORBID(unshare), CLINUX_FORBID(setns),
    CLINUX_FORBID(pivot_root), CLINUX_FORBID(chroot), CLINUX_FORBID(bpf), CLINUX_FORBID(perf_event_open),
    CLINUX_FORBID(init_module), CLINUX_FORBID(finit_module), CLINUX_FORBID(delete_module),
    CLINUX_FORBID(add_key), CLINUX_FORBID(request_key), CLINUX_FORBID(keyctl),
#ifdef SYS_io_uring_setup
    CLINUX_FORBID(io_uring_setup),
#endif
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
#else
  return 0;
#endif
}
