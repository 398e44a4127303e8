/* The yardstick: an unbiased shuffle and deal, and nothing else.
 *
 * Fisher-Yates over xoshiro256++ (Blackman and Vigna 2019), seeded by splitmix64; bounded draws without bias by
 * Lemire's multiplication (2019) with its rejection step. Two packs to three hands of 33 and a bottom of 9, three
 * packs to five hands of 31 and a bottom of 7, one card a byte, dealt round the table.
 *
 * Built by baseline.py with: gcc -O3 -march=native -shared -fPIC
 */
#include <stdint.h>

static uint64_t state[4];

static inline uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline uint64_t next(void) {
    const uint64_t result = rotate(state[0] + state[3], 23) + state[0];
    const uint64_t t = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= t;
    state[3] = rotate(state[3], 45);
    return result;
}

static inline uint32_t below(uint32_t n) {
    uint64_t m = (uint64_t)(uint32_t)(next() >> 32) * n;
    uint32_t low = (uint32_t)m;
    if (low < n) {
        const uint32_t threshold = -n % n;
        while (low < threshold) {
            m = (uint64_t)(uint32_t)(next() >> 32) * n;
            low = (uint32_t)m;
        }
    }
    return m >> 32;
}

static void seed_with(uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        state[i] = z ^ (z >> 31);
    }
}

/* What was dealt counts as used by someone the compiler can't see. */
#define USED(memory) __asm__ volatile("" : : "r"(memory) : "memory")

#define DEALS(NAME, CARDS, SEATS, HAND)                                                                             \
    uint64_t NAME(int64_t deals, uint64_t seed) {                                                                   \
        uint8_t cards[CARDS], hands[SEATS][HAND], bottom[CARDS - SEATS * HAND];                                     \
        uint64_t sum = 0;                                                                                           \
        seed_with(seed);                                                                                            \
        for (int64_t i = 0; i < deals; i++) {                                                                       \
            for (int k = 0; k < CARDS; k++) cards[k] = k % 54;                                                      \
            for (int k = CARDS - 1; k > 0; k--) {                                                                   \
                const uint32_t j = below(k + 1);                                                                    \
                const uint8_t card = cards[k];                                                                      \
                cards[k] = cards[j];                                                                                \
                cards[j] = card;                                                                                    \
            }                                                                                                       \
            for (int k = 0; k < SEATS * HAND; k++) hands[k % SEATS][k / SEATS] = cards[k];                          \
            for (int k = SEATS * HAND; k < CARDS; k++) bottom[k - SEATS * HAND] = cards[k];                         \
            USED(hands);                                                                                            \
            USED(bottom);                                                                                           \
            sum += hands[0][0] + hands[SEATS - 1][HAND - 1] + bottom[0];                                            \
        }                                                                                                           \
        return sum;                                                                                                 \
    }

DEALS(deal_108, 108, 3, 33)
DEALS(deal_162, 162, 5, 31)
