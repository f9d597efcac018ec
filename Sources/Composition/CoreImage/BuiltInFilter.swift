/// A filter of the catalogue with its parameters as properties, as Core Image's `CIFilterBuiltins` has them.
final class BuiltInFilter: CIFilter {
}
