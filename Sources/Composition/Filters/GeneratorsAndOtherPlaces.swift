extension FilterCatalogue {
    /// All filters that are functions of the place, not of the colour alone.
    package static let places: [FilterDefinition] =
        blurs + sharpening + stylizing + cells + convolutions + halftones + distortions
        + warps + geometries + tiles + generators + transitions
}
