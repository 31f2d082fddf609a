#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* What libcrypto has as macros around casts, or as a union, Swift cannot see. */

static inline int ccrypto_name_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

/* The bytes of a name of type DNS or IP address; of others nothing. */
static inline const ASN1_STRING *ccrypto_name(const GENERAL_NAMES *names, int index, int *type) {
  const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
  *type = name ? name->type : -1;
  if (*type == GEN_DNS) return name->d.dNSName;
  if (*type == GEN_IPADD) return name->d.iPAddress;
  return NULL;
}

static inline const unsigned char *ccrypto_bytes(const ASN1_STRING *string, int *length) {
  *length = ASN1_STRING_length(string);
  return ASN1_STRING_get0_data(string);
}

/* The library deprecates its function for one block of SHA-256, and has no other. */
static inline void ccrypto_sha256_block(unsigned int *state, const unsigned char *block) {
  SHA256_CTX context = {.md_len = SHA256_DIGEST_LENGTH};
  for (int word = 0; word < 8; word++) context.h[word] = state[word];
  SHA256_Transform(&context, block);
  for (int word = 0; word < 8; word++) state[word] = context.h[word];
}
