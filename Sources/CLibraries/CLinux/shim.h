#include <linux/filter.h>
#include <sys/socket.h>

/* What the kernel has and the C library does not wrap, or only as macros that Swift cannot see. */

/* From now on a socket takes no packet; what it holds stays. libpcap's own filters empty what waits as well. */
static inline int clinux_take_no_more(int descriptor) {
  struct sock_filter none = BPF_STMT(BPF_RET | BPF_K, 0);
  struct sock_fprog program = {.len = 1, .filter = &none};
  return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}
