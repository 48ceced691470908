import Foundation
import ObjectModel

@testable import RESTStore

/// A service of a library, with most of what metadata can have.
enum ODataSample {
  static let metadata = """
    <?xml version="1.0" encoding="utf-8"?>
    <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
      <edmx:DataServices>
        <Schema Namespace="Library.Model" Alias="L" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EnumType Name="Genre"><Member Name="Novel" Value="0"/><Member Name="Poem" Value="1"/></EnumType>
          <EnumType Name="Marks" IsFlags="true"><Member Name="Red" Value="1"/></EnumType>
          <TypeDefinition Name="Code" UnderlyingType="Edm.String"/>
          <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/>
            <Property Name="Zip" Type="L.Code" Nullable="false"/></ComplexType>
          <ComplexType Name="Address"><Property Name="Street" Type="Edm.String"/>
            <Property Name="Place" Type="L.Place"/></ComplexType>
          <EntityType Name="Person" Abstract="true">
            <Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="40"/>
            <Property Name="Age" Type="Edm.Int16"/>
            <Property Name="Born" Type="Edm.Date"/>
            <Property Name="Seen" Type="Edm.DateTimeOffset" Precision="3"/>
            <Property Name="Written" Type="Edm.DateTimeOffset"/>
            <Property Name="Active" Type="Edm.Boolean" DefaultValue="true"/>
            <Property Name="Score" Type="Edm.Double"/>
            <Property Name="Ratio" Type="Edm.Single"/>
            <Property Name="Fee" Type="Edm.Decimal" Precision="10" Scale="2"/>
            <Property Name="Guid" Type="Edm.Guid"/>
            <Property Name="Pause" Type="Edm.Duration"/>
            <Property Name="Wakes" Type="Edm.TimeOfDay"/>
            <Property Name="Picture" Type="Edm.Stream"/>
            <Property Name="Mails" Type="Collection(Edm.String)"/>
            <Property Name="Home" Type="L.Address"/>
            <NavigationProperty Name="Mentor" Type="L.Author" Partner="Pupils"/>
          </EntityType>
          <EntityType Name="Author" BaseType="L.Person">
            <Property Name="Pen" Type="L.Marks"/>
            <NavigationProperty Name="Pupils" Type="Collection(L.Person)" Partner="Mentor"/>
            <NavigationProperty Name="Books" Type="Collection(L.Book)" Partner="Author">
              <OnDelete Action="None"/></NavigationProperty>
          </EntityType>
          <EntityType Name="Book">
            <Key><PropertyRef Name="Shelf"/><PropertyRef Name="Number"/></Key>
            <Property Name="Shelf" Type="Edm.String" Nullable="false"/>
            <Property Name="Number" Type="Edm.Int64" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/>
            <Property Name="Pages" Type="Edm.Int32"/>
            <Property Name="Genre" Type="L.Genre"/>
            <Property Name="AuthorID" Type="Edm.Int32"/>
            <Property Name="Scan" Type="Edm.Binary"/>
            <NavigationProperty Name="Author" Type="L.Author" Partner="Books">
              <ReferentialConstraint Property="AuthorID" ReferencedProperty="ID"/></NavigationProperty>
            <NavigationProperty Name="Tags" Type="Collection(L.Tag)" Partner="Books"/>
          </EntityType>
          <EntityType Name="Tag">
            <Key><PropertyRef Name="Label"/></Key>
            <Property Name="Label" Type="Edm.String" Nullable="false"/>
            <NavigationProperty Name="Books" Type="Collection(L.Book)"/>
          </EntityType>
          <EntityType Name="Unused"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32"/></EntityType>
          <Function Name="Nothing"><ReturnType Type="Edm.String"/></Function>
          <EntityContainer Name="Container">
            <EntitySet Name="People" EntityType="L.Person"/>
            <EntitySet Name="Books" EntityType="L.Book"/>
            <EntitySet Name="Classics" EntityType="L.Book"/>
            <EntitySet Name="Tags" EntityType="L.Tag">
              <Annotation Term="Org.OData.Capabilities.V1.CountRestrictions"><Record>
              <PropertyValue Property="Countable" Bool="false"/></Record></Annotation></EntitySet>
            <Singleton Name="Me" Type="L.Author"/>
          </EntityContainer>
          <Annotations Target="L.Container/Books">
            <Annotation Term="Org.OData.Capabilities.V1.FilterRestrictions"><Record>
              <PropertyValue Property="NonFilterableProperties"><Collection>
                <PropertyPath>Scan</PropertyPath></Collection></PropertyValue></Record></Annotation>
            <Annotation Term="Org.OData.Capabilities.V1.DeleteRestrictions"><Record>
              <PropertyValue Property="Deletable" Bool="false"/></Record></Annotation>
            <Annotation Term="Org.OData.Capabilities.V1.ChangeTracking"><Record>
              <PropertyValue Property="Supported" Bool="true"/></Record></Annotation>
          </Annotations>
        </Schema>
      </edmx:DataServices>
    </edmx:Edmx>
    """

  static func model() throws -> ODataModel {
    try ODataModel(CSDLReader.document(of: Data(metadata.utf8)))
  }
}
