extension FixedWidthInteger {
    /// Creates an integer from `value`, rounded toward zero. A value that does not fit becomes the nearest integer that
    /// fits, and NaN becomes zero. Use this for numbers from files, servers and people, for which the normal conversion
    /// could end the process.
    @inlinable package init(saturating value: Double) {
        self = Self(exactly: value.rounded(.towardZero)) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
    }

    /// Returns the sum, or the nearest number that fits.
    @inlinable package func addingSaturating(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// Returns the difference, or the nearest number that fits.
    @inlinable package func subtractingSaturating(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    /// Returns the product, or the nearest number that fits.
    @inlinable package func multipliedSaturating(by other: Self) -> Self {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}

extension Comparable {
    /// Returns the nearest value within `limits`. Used for sizes and counts that a file or a server states.
    @inlinable package func bounded(to limits: ClosedRange<Self>) -> Self {
        min(max(self, limits.lowerBound), limits.upperBound)
    }
}
