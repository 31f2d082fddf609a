/* usage: hpack-nghttp2 make SEED BLOCKS >records     header blocks, good, damaged and random
 *        hpack-nghttp2 read <records >lines          what nghttp2 reads in them
 *
 * Records and lines are those of Tests/Blocks. Good blocks are written by nghttp2's own encoder. */
#include <nghttp2/nghttp2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint64_t any(void) {
  uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}
static size_t below(size_t limit) { return any() % limit; }

static void number(uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) putchar(value >> shift & 255);
}
static void limit(uint32_t value) {
  putchar('L');
  number(value);
}
static void block(const uint8_t *bytes, size_t count) {
  putchar('B');
  number(count);
  fwrite(bytes, 1, count, stdout);
}

static const char *names[] = {":method", ":path", ":status", ":authority", "accept", "cookie", "content-type", "date",
                              "etag", "x-request-id", "a", "grpc-status", "a-name-that-is-longer-than-others", "server"};
static const char *values[] = {"GET", "/", "200", "", "gzip, deflate", "text/event-stream", "0", "no-cache"};
static uint8_t texts[12][300];

static nghttp2_nv field(int index) {
  nghttp2_nv nv = {0};
  nv.name = (uint8_t *)names[below(sizeof names / sizeof *names)];
  nv.namelen = strlen((char *)nv.name);
  if (below(2)) {
    nv.value = (uint8_t *)values[below(sizeof values / sizeof *values)];
    nv.valuelen = strlen((char *)nv.value);
  } else {
    /* Few values come often, some hold every byte. */
    nv.value = texts[index];
    nv.valuelen = below(8) ? below(24) : below(300);
    int kind = below(6);
    for (size_t i = 0; i < nv.valuelen; i++)
      nv.value[i] = kind == 0 ? any() : kind < 3 ? "0123456789abcdef"[below(16)] : "ab-/=; "[i % 7];
  }
  nv.flags = below(9) ? NGHTTP2_NV_FLAG_NONE : NGHTTP2_NV_FLAG_NO_INDEX;
  return nv;
}

static size_t damage(uint8_t *bytes, size_t count) {
  for (size_t times = 1 + below(2); times > 0 && count > 0; times--) {
    size_t at = below(count);
    switch (below(5)) {
    case 0: bytes[at] ^= 1 << below(8); break;
    case 1: bytes[at] = any(); break;
    case 2: bytes[at] = 0xFF; break;
    case 3: count = at; break;
    default: memmove(bytes + at, bytes + at + 1, --count - at);
    }
  }
  return count;
}

static size_t integer(uint8_t *to, uint8_t form, int prefix, uint32_t value) {
  uint32_t most = (1u << prefix) - 1;
  if (value < most) return to[0] = form | value, 1;
  size_t count = 0;
  to[count++] = form | most;
  for (value -= most; value > 127; value >>= 7) to[count++] = value | 128;
  to[count++] = value;
  /* Zeros at the end are allowed, as far as six octets go. */
  for (size_t more = below(12) ? 0 : below(6); more > 0; more--) to[count - 1] |= 128, to[count++] = 0;
  return count;
}

static size_t string(uint8_t *to) {
  size_t length = below(8) ? below(12) : below(200);
  int isCoded = below(3) == 0;
  size_t count = integer(to, isCoded ? 128 : 0, 7, length);
  int ones = below(3);
  for (size_t i = 0; i < length; i++) to[count + i] = any() | (ones ? any() : 0) | (ones > 1 ? any() | any() : 0);
  if (isCoded && length > 0 && below(4)) to[count + length - 1] |= (1 << below(8)) - 1;
  return count + length;
}

/* Of instructions that an encoder may write, and some that it may not. */
static size_t instructions(uint8_t *to) {
  size_t count = 0;
  for (size_t left = 1 + below(6); left > 0; left--) {
    switch (below(8)) {
    case 0: case 1: case 2: count += integer(to + count, 0x80, 7, 1 + below(below(4) ? 63 : 80)); break;
    case 3: count += integer(to + count, 0x20, 5, below(2) ? below(200) : below(70000)); break;
    case 4: count += integer(to + count, 0x80, 7, any() >> below(40)); break;
    default: {
      uint8_t form = below(3) == 0 ? 0x00 : below(3) ? 0x40 : 0x10;
      uint32_t name = below(2) ? 0 : 1 + below(66);
      count += integer(to + count, form, form == 0x40 ? 6 : 4, name);
      if (!name) count += string(to + count);
      count += string(to + count);
    }
    }
  }
  return count;
}

static void make(long blocks) {
  static uint8_t bytes[1 << 16];
  while (blocks > 0) {
    putchar('N');
    uint32_t most = below(3) ? 4096 : below(70000);
    nghttp2_hd_deflater *deflater;
    if (nghttp2_hd_deflate_new(&deflater, most)) abort();
    int damaging = below(3);
    for (long left = 1 + below(damaging ? 10 : 40); left > 0 && blocks > 0; left--, blocks--) {
      size_t changes = below(10) ? 0 : 1 + below(2);
      for (size_t times = changes; times > 0; times--) {
        uint32_t size = below(3) ? below(5000) : below(2) ? 0 : below(100000);
        limit(size);
        /* One that is not heard is a fault if it was lower. */
        if (!damaging || changes > 1 || below(4)) nghttp2_hd_deflate_change_table_size(deflater, size);
      }
      /* Of two changes the lowest has to be told; nghttp2 asks for the last one, so these blocks are good ones. */
      if (damaging == 2 && changes < 2 && below(4) == 0) {
        block(bytes, instructions(bytes));
        continue;
      }
      nghttp2_nv fields[12];
      size_t count = below(12);
      for (size_t i = 0; i < count; i++) fields[i] = field(i);
      ssize_t length = nghttp2_hd_deflate_hd(deflater, bytes, sizeof bytes, fields, count);
      if (length < 0) abort();
      if (damaging && changes < 2 && below(8) == 0) length = damage(bytes, length);
      block(bytes, length);
    }
    nghttp2_hd_deflate_del(deflater);
  }
}

static uint64_t hash;
static void add(const uint8_t *bytes, size_t count) {
  for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ (count >> shift & 255)) * 0x100000001B3;
  for (size_t i = 0; i < count; i++) hash = (hash ^ bytes[i]) * 0x100000001B3;
}

static uint32_t wanted(void) {
  uint32_t value = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    int byte = getchar();
    if (byte == EOF) exit(2);
    value |= (uint32_t)byte << shift;
  }
  return value;
}

static void readAll(void) {
  nghttp2_hd_inflater *inflater = NULL;
  int isDead = 0, kind;
  while ((kind = getchar()) != EOF) {
    if (kind == 'N') {
      if (inflater) nghttp2_hd_inflate_del(inflater);
      if (nghttp2_hd_inflate_new(&inflater)) abort();
      isDead = 0;
    } else if (kind == 'L') {
      uint32_t size = wanted();
      if (!isDead && nghttp2_hd_inflate_change_table_size(inflater, size)) abort();
    } else {
      size_t length = wanted(), count = 0;
      uint8_t *bytes = malloc(length + 1), *at = bytes;
      if (fread(bytes, 1, length, stdin) != length) exit(2);
      hash = 0xCBF29CE484222325;
      while (!isDead) {
        nghttp2_nv nv;
        int flags = 0;
        ssize_t taken = nghttp2_hd_inflate_hd2(inflater, &nv, &flags, at, bytes + length - at, 1);
        if (taken < 0) {
          isDead = 1;
          printf("%zu %llu bad\n", count, (unsigned long long)hash);
          break;
        }
        at += taken;
        if (flags & NGHTTP2_HD_INFLATE_EMIT) {
          add(nv.name, nv.namelen);
          add(nv.value, nv.valuelen);
          count++;
        }
        if (flags & NGHTTP2_HD_INFLATE_FINAL) {
          nghttp2_hd_inflate_end_headers(inflater);
          printf("%zu %llu ok\n", count, (unsigned long long)hash);
          break;
        }
      }
      if (isDead == 2) puts("dead");
      if (isDead) isDead = 2;
      free(bytes);
    }
  }
}

int main(int count, char **arguments) {
  if (count == 4 && !strcmp(arguments[1], "make")) {
    state = strtoull(arguments[2], NULL, 10);
    make(atol(arguments[3]));
  } else if (count == 2 && !strcmp(arguments[1], "read")) {
    readAll();
  } else {
    fputs("usage: hpack-nghttp2 make SEED BLOCKS | read\n", stderr);
    return 2;
  }
  return 0;
}
