/// The catalog of all filters. `filters.txt` lists them by family; the recipes of each family are in a separate file.
package enum FilterCatalog {
    static let all: [FilterDefinition] =
        [colorAdjustments, colorEffects, photoEffects, blendModes, composites, masks, places].flatMap { $0 }
    /// The filters whose pixels depend on more than the color at the same position.
    static let places: [FilterDefinition] = [
        blurs, sharpening, stylizing, cells, convolutions, halftones, distortions, warps, geometries, tiles, generators,
        transitions,
    ].flatMap { $0 }
    /// The recipes by the name of the filter.
    static let recipes: [String: FilterRecipe] = [
        colorAdjustmentRecipes, colorEffectRecipes, colorLookRecipes, blendModeRecipes, compositeRecipes,
        blurRecipes, sharpeningRecipes, stylizingRecipes, cellRecipes, convolutionRecipes, halftoneRecipes,
        distortionRecipes, warpRecipes, geometryRecipes, tileRecipes, generatorRecipes, transitionRecipes,
    ].reduce(into: [:]) { all, family in all.merge(family) { first, _ in first } }
    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    static func definition(_ name: String) -> FilterDefinition? { byName[name] }

    /// Returns the categories of a filter, including those that contain every filter of the catalog.
    static func categories(of definition: FilterDefinition) -> [String] {
        definition.categories
            + [kCICategoryVideo, kCICategoryStillImage, kCICategoryBuiltIn].filter {
                !definition.categories.contains($0)
            }
    }

    /// The categories that contain a filter, sorted, without those that contain all filters.
    package static var allCategories: [String] {
        Set(all.flatMap(\.categories)).subtracting([kCICategoryVideo, kCICategoryStillImage, kCICategoryBuiltIn])
            .sorted()
    }

    package static func categoryName(_ category: String) -> String {
        guard category.hasPrefix("CICategory") else { return category }
        return spaced(String(category.dropFirst(10)))
    }

    static func attributes(of definition: FilterDefinition) -> [String: Any] {
        var all: [String: Any] = [
            kCIAttributeFilterName: definition.name, kCIAttributeFilterDisplayName: definition.displayName,
            kCIAttributeFilterCategories: categories(of: definition),
        ]
        for parameter in definition.parameters {
            var entry: [String: Any] = [
                kCIAttributeName: parameter.key, kCIAttributeClass: parameter.kind.className,
                kCIAttributeDisplayName: spaced(
                    String(parameter.key.dropFirst(parameter.key.hasPrefix("input") ? 5 : 0))),
            ]
            if parameter.type.hasPrefix("CIAttributeType") { entry[kCIAttributeType] = parameter.type }
            entry[kCIAttributeDefault] = parameter.standardValue
            entry[kCIAttributeIdentity] = parameter.identity
            entry[kCIAttributeMin] = parameter.minimum
            entry[kCIAttributeMax] = parameter.maximum
            entry[kCIAttributeSliderMin] = parameter.sliderMinimum
            entry[kCIAttributeSliderMax] = parameter.sliderMaximum
            all[parameter.key] = entry
        }
        return all
    }

    /// Returns a name with spaces between its words: `ColorEffect` becomes `Color Effect`.
    private static func spaced(_ name: String) -> String {
        var text = ""
        for character in name {
            if character.isUppercase, let last = text.last, last.isLowercase { text.append(" ") }
            text.append(character)
        }
        return text
    }
}
