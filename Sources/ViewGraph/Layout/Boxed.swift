/// An optional value in an object of its own. An instance without the value needs only the size of a reference.
@propertyWrapper
package struct Boxed<Value> {
    private final class Box {
        let value: Value
        init(_ value: Value) { self.value = value }
    }
    private var box: Box?

    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    package var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map(Box.init) }
    }
}
