#include <crt_externs.h>
#include <errno.h>
#include <mach-o/dyld.h>
#include <mach/mach.h>
#include <net/bpf.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/time.h>

/* What Darwin has only as macros that Swift cannot see, or as calls that are plainer in C. Written from its manual pages;
   not built on a Mac yet. */

/* Waits until there is something to read: select(2), for poll(2) does not know devices. As poll: 1, 0, or -1. */
static inline int cdarwin_wait(int descriptor, int64_t nanoseconds) {
  if (descriptor < 0 || descriptor >= FD_SETSIZE) {
    errno = EBADF;
    return -1;
  }
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(descriptor, &readable);
  struct timeval limit = {
    .tv_sec = (time_t)(nanoseconds / 1000000000),
    .tv_usec = (suseconds_t)((nanoseconds % 1000000000 + 999) / 1000),
  };
  if (limit.tv_usec >= 1000000) {
    limit.tv_sec += 1;
    limit.tv_usec -= 1000000;
  }
  return select(descriptor + 1, &readable, NULL, NULL, &limit);
}

/* From now on a BPF device takes no packet. BIOCSETF would throw away those that wait, BIOCSETFNR keeps them. */
static inline int cdarwin_take_no_more(int descriptor) {
  struct bpf_insn none = BPF_STMT(BPF_RET | BPF_K, 0);
  struct bpf_program program = {.bf_len = 1, .bf_insns = &none};
  return ioctl(descriptor, BIOCSETFNR, &program);
}

/* The file that the program was started from, not resolved; 0 if it fits. */
static inline int cdarwin_program_path(char *room, uint32_t size) { return _NSGetExecutablePath(room, &size); }

static inline char **cdarwin_environment(void) { return *_NSGetEnviron(); }

static inline int cdarwin_threads(void) {
  thread_act_array_t threads;
  mach_msg_type_number_t count;
  if (task_threads(mach_task_self(), &threads, &count) != KERN_SUCCESS) return -1;
  for (mach_msg_type_number_t at = 0; at < count; at++) mach_port_deallocate(mach_task_self(), threads[at]);
  vm_deallocate(mach_task_self(), (vm_address_t)threads, count * sizeof *threads);
  return (int)count;
}
