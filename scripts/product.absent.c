/* What the product leaves out of Swift's and ICU's libraries: code whose data are left out too (scripts/icu-subset), or that nothing here
   asks for. Each function answers as the library's does where its data are not there. scripts/product gives them the libraries' names
   (--defsym). */
#include <stddef.h>
#include <stdint.h>

/* ICU's UErrorCode (unicode/utypes.h). */
enum { missing_resource = 2, file_access = 4 };

static void *failed(int32_t *status, int32_t error) {
    if (*status <= 0) *status = error;
    return NULL;
}

static int32_t none(int32_t *status, int32_t error) {
    failed(status, error);
    return 0;
}

/* The Unicode names of characters (swift/stdlib/public/stubs/Unicode: length, 0 for one that has none), 0.55 MB. */
intptr_t zoetrope_absent_name(uint32_t scalar, uint8_t *buffer, intptr_t capacity) { return 0; }

/* icu::Collator::createInstance(const Locale &, UErrorCode &); for lenient parsing: RuleBasedNumberFormat::getCollator() const. */
void *zoetrope_absent_collator(const void *locale, int32_t *status) { return failed(status, missing_resource); }
void *zoetrope_absent_number_collator(const void *format) { return NULL; }

/* icu::BreakIterator::makeInstance(const Locale &, int32_t, UErrorCode &). */
void *zoetrope_absent_breaks(const void *locale, int32_t kind, int32_t *status) { return failed(status, missing_resource); }

/* ucnv_open(const char *, UErrorCode *): encodings besides those that Foundation knows itself. */
void *zoetrope_absent_converter(const char *name, int32_t *status) { return failed(status, file_access); }

/* u_formatMessage: the names of currencies. */
int32_t zoetrope_absent_message(
    const char *locale, const uint16_t *pattern, int32_t length, uint16_t *result, int32_t capacity, int32_t *status, ...) {
    return none(status, missing_resource);
}

/* uameasfmt_getUnitsForUsage: a region's unit of temperature. */
int32_t zoetrope_absent_units(
    const char *locale, const char *category, const char *usage, void *units, int32_t capacity, int32_t *status) {
    return none(status, missing_resource);
}

/* udtitvfmt_open: “10 to 12 May”. */
void *zoetrope_absent_intervals(
    const char *locale, const uint16_t *skeleton, int32_t length, const uint16_t *zone, int32_t zone_length, int32_t *status) {
    return failed(status, missing_resource);
}
